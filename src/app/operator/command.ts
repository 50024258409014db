import type { INestApplicationContext } from '@nestjs/common';
import type { Given } from './given.js';

export interface Option {
  /** What stands for its value in the usage: `name`, `id`, `a,b`; absent: it has none. */
  readonly value?: string;
  readonly about: string;
  readonly required?: true;
}

export interface Answer {
  /** Printed as it is with `--json`, and as lines or a table without. Snake_case keys, as in the API. */
  readonly data: object;
  /** A sentence for people. */
  readonly note?: string;
  /** Exit status where it is not 0: the command worked and found something wrong. */
  readonly exitCode?: number;
}

/** One thing the operator can say. Commands are listed in `commands.ts`. */
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
  run(context: INestApplicationContext, given: Given): Promise<Answer>;
}

/** A command that comes before the service is set up. */
export interface StandaloneCommand extends CommandWords {
  runAlone(given: Given): Promise<Answer>;
}

export type Command = ServiceCommand | StandaloneCommand;
