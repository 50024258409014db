import type { INestApplicationContext } from '@nestjs/common';
import { commands } from '../commands.js';
import { runOperator } from '../run-operator.js';

export interface CommandOutput {
  status: number;
  out: string;
  err: string;
}

/** Runs an operator's command on an application that stays open after it. */
export async function runCommand(
  app: INestApplicationContext,
  words: readonly string[],
): Promise<CommandOutput> {
  const output = { out: '', err: '' };
  const context = { get: app.get.bind(app), close: async () => undefined };
  const status = await runOperator(
    {
      commands,
      environment: () => ({}),
      openContext: async () => context as unknown as INestApplicationContext,
      out: (text) => (output.out += text),
      err: (text) => (output.err += text),
    },
    words,
  );
  return { status, ...output };
}
