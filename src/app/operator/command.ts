import type { INestApplicationContext } from '@nestjs/common';
import type { Environment } from '../environment.js';
import type { CommandArguments } from './command-arguments.js';

export interface Option {
  /** Placeholder of its value in the usage: `name`, `id`, `a,b`; absent: the option takes none. */
  readonly value?: string;
  readonly about: string;
  readonly required?: true;
}

/** For commands that list: spread into their options. */
export const PAGE_OPTIONS = {
  page: { value: 'n', about: 'page wanted, from 1' },
  'page-size': { value: 'n', about: 'items per page, 50 unless set' },
} as const satisfies Record<string, Option>;

export interface Answer {
  /** Printed as it is with `--json`, and as lines or a table without. Snake_case keys, as in the API. */
  readonly data: object;
  /** A sentence for people. */
  readonly note?: string;
  /** Exit status where it is not 0: the command worked and found something wrong. */
  readonly exitCode?: number;
}

/** What every command has. Commands are listed in `commands.ts`. */
interface CommandWords {
  /** As it is typed: `credential create`. */
  readonly words: string;
  readonly about: string;
  /** Names of what must follow the words, in order. */
  readonly arguments?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
}

export interface ServiceCommand extends CommandWords {
  /** @throws DomainError, whose sentence the operator reads */
  run(context: INestApplicationContext, args: CommandArguments): Promise<Answer>;
}

/** A command that comes before the service is set up. */
export interface StandaloneCommand extends CommandWords {
  runAlone(args: CommandArguments, environment: Environment): Promise<Answer>;
}

export type Command = ServiceCommand | StandaloneCommand;
