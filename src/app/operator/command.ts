import type { INestApplicationContext } from '@nestjs/common';
import type { Environment } from '../settings/environment.js';
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

/** The effect that an irreversible command is about to have with these arguments. */
export interface Foretold {
  /** A sentence that names whom and what by their names, beside ids. */
  readonly says: string;
  /** The text that a person types to confirm it. */
  readonly type: string;
}

interface Changed {
  /** The thing that the command changes, as a noun phrase. */
  readonly what: string;
  /**
   * `with it`: one transaction, which the entry of the operator's log is part of. `around it`: an entry before, and one after.
   * `after it`: one after, since the command brings the log itself.
   */
  readonly audited: 'with it' | 'around it' | 'after it';
  /** True where the command only reads with these arguments, as with `--dry-run`. */
  readonly onlyReads?: (args: CommandArguments) => boolean;
}

/** @typeParam Foretell answers null where nothing is there to be changed that could not be undone */
export type Changes<Foretell> = Changed &
  (
    | {
        /** How it is taken back, as a sentence. */
        readonly undo: string;
      }
    | {
        /** The effect that nobody can take back, as a sentence. */
        readonly irreversible: string;
        readonly foretell: Foretell;
      }
  );

/** Every command has these. Commands are listed in `commands.ts`. */
interface CommandWords {
  /** The words as they are typed: `credential create`. */
  readonly words: string;
  readonly about: string;
  /** Values that must follow the words, in order: name, and what it is. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, Option>>;
  /** The arguments that follow the words in an example. */
  readonly example: string;
  /** When a command that worked ends with status 1, as a clause. */
  readonly failsIf?: string;
}

export interface ServiceCommand extends CommandWords {
  /** Absent: the command only reads. */
  readonly changes?: Changes<
    (context: INestApplicationContext, args: CommandArguments) => Promise<Foretold | null>
  >;
  /** @throws DomainError, whose sentence the operator reads */
  run(context: INestApplicationContext, args: CommandArguments): Promise<Answer>;
}

/** A command that comes before the service is set up, or beside it. */
export interface StandaloneCommand extends CommandWords {
  /** Absent: the command only reads. */
  readonly changes?: Changes<(args: CommandArguments, environment: Environment) => Promise<Foretold | null>> &
    // The transaction of the change is not the audit log's.
    Record<'audited', 'around it' | 'after it'>;
  runAlone(args: CommandArguments, environment: Environment): Promise<Answer>;
}

export type Command = ServiceCommand | StandaloneCommand;

/** The sentence of a command that asks before it runs; undefined for every other. */
export function irreversibleOf({ changes }: Command): string | undefined {
  return changes !== undefined && 'irreversible' in changes ? changes.irreversible : undefined;
}
