import type { INestApplicationContext } from '@nestjs/common';
import { commands } from '../commands.js';
import { runOperator } from '../run-operator.js';

export interface Said {
  status: number;
  out: string;
  err: string;
}

/** An operator's command on an application that stays open after it. */
export async function sayTo(app: INestApplicationContext, words: readonly string[]): Promise<Said> {
  const said = { out: '', err: '' };
  const context = { get: app.get.bind(app), close: async () => undefined };
  const status = await runOperator(
    {
      commands,
      openContext: async () => context as unknown as INestApplicationContext,
      out: (text) => (said.out += text),
      err: (text) => (said.err += text),
    },
    [...words],
  );
  return { status, ...said };
}
