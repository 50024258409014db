import type { INestApplicationContext } from '@nestjs/common';
import { commandGroups } from '../commands.js';
import type { Command } from '../command.js';
import { runOperator } from '../run-operator.js';

export interface CommandOutput {
  status: number;
  out: string;
  err: string;
}

export interface CommandHost {
  readonly commands?: readonly Command[];
  readonly ask?: (question: string) => Promise<string>;
}

/** Use cases and queries by class: an application, or a Map of those that the command needs. */
interface CommandDependencies {
  get(part: never): unknown;
}

/** Runs an operator command on an application, which stays open. @param words the first one may contain spaces */
export async function runCommand(
  parts: CommandDependencies,
  words: readonly string[],
  host: CommandHost = {},
): Promise<CommandOutput> {
  const output = { out: '', err: '' };
  const context = { get: (part: never) => parts.get(part), close: async () => undefined };
  const status = await runOperator(
    {
      groups: host.commands === undefined ? commandGroups : { commands: host.commands },
      environment: () => ({}),
      openContext: async () => context as unknown as INestApplicationContext,
      out: (text) => (output.out += text),
      err: (text) => (output.err += text),
      ask: host.ask,
    },
    words.flatMap((word, place) => (place === 0 ? word.split(' ') : [word])),
  );
  return { status, ...output };
}
