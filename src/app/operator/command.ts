import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import { isUuid } from '#shared/kernel/ids.js';
import { typedAmount } from '#shared/kernel/typed-amount.js';
import { readWholeNumber } from '#shared/kernel/text.js';
import { LAST_PAGE, type PageRequest } from '#shared/kernel/page.js';
import type { Environment } from '../settings/environment.js';
import type { Answer } from './answer.js';

/** The option by which an irreversible command is confirmed. */
export const CONFIRMED = 'yes';

/** The words make no command: one sentence, the usage, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command is its words, its arguments, what it changes, and what it does. Commands are listed in `commands.ts`. */
export type Command = ServiceCommand | StandaloneCommand;

/** Commands by the name of their group, under which the help lists them. */
export type CommandGroups = Readonly<Record<string, readonly Command[]>>;

/** A command on the service's use cases and queries. */
export interface ServiceCommand extends CommandWords {
  /** Absent: the command only reads. */
  readonly changes?: Changes<
    (context: INestApplicationContext, args: CommandArguments) => Promise<Preview | null>
  >;
  /** @throws DomainError, whose sentence the operator reads */
  run(context: INestApplicationContext, args: CommandArguments): Promise<Answer>;
}

/** A command that comes before the service is set up, or beside it. */
export interface StandaloneCommand extends CommandWords {
  /** Absent: the command only reads. */
  readonly changes?: Changes<(args: CommandArguments, environment: Environment) => Promise<Preview | null>> &
    // The transaction of the change is not the operator's log's.
    Record<'audited', 'around it' | 'after it'>;
  runAlone(args: CommandArguments, environment: Environment): Promise<Answer>;
}

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

export interface Option {
  /** Placeholder of its value in the usage: `name`, `id`, `a,b`; absent: the option takes none. */
  readonly value?: string;
  readonly about: string;
  readonly required?: true;
}

/** Commands that list spread these into their options. */
export const PAGE_OPTIONS = {
  page: { value: 'n', about: 'page number (default: 1)' },
  'page-size': { value: 'n', about: 'items per page, up to 1000 (default: 50)' },
} as const satisfies Record<string, Option>;

type Changes<PreviewOf> = {
  /** The thing that the command changes, as a noun phrase. */
  readonly what: string;
  /**
   * `with it`: one transaction, which the entry of the operator's log is part of. `around it`: an entry before, and one after.
   * `after it`: one after, since the command brings the log itself.
   */
  readonly audited: 'with it' | 'around it' | 'after it';
  /** True where the command only reads with these arguments, as with `--dry-run`. */
  readonly onlyReads?: (args: CommandArguments) => boolean;
} & (
  | {
      /** How it is taken back, as a sentence. */
      readonly undo: string;
    }
  | {
      /** The effect that nobody can take back, as a sentence. */
      readonly irreversible: string;
      /** Shows the effect before it is confirmed; null where nothing is there to be changed that could not be undone. */
      readonly preview: PreviewOf;
    }
);

/** The effect that an irreversible command is about to have with these arguments. */
export interface Preview {
  /** A sentence that names whom and what by their names, beside ids. */
  readonly effect: string;
  /** The text that a person types to confirm it. */
  readonly confirmedBy: string;
}

/** The sentence of a command that asks before it runs; undefined for every other. */
export function irreversibleOf({ changes }: Command): string | undefined {
  return changes !== undefined && 'irreversible' in changes ? changes.irreversible : undefined;
}

/** The arguments and options of one command, by name. Parsing has checked that required ones are present. */
export class CommandArguments {
  private readonly values: ReadonlyMap<string, string>;

  /** @param values as they were typed; white space around them is left out, as in every form */
  constructor(
    values: ReadonlyMap<string, string>,
    /** Who acts, for audit logs. */
    readonly actor: string = `operator ${systemAccount()}`,
  ) {
    this.values = new Map([...values].map(([name, text]) => [name, text.trim()]));
  }

  /** All that was typed, for the operator's log. */
  typed(): Record<string, string> {
    return Object.fromEntries([...this.values].filter(([name]) => name !== CONFIRMED));
  }

  text(name: string): string {
    return this.values.get(name) ?? '';
  }

  optional(name: string): string | undefined {
    return this.values.get(name);
  }

  /** An amount in whole units, by the rule of every form. @throws validation_failed */
  amount(name: string): string {
    return this.optionalAmount(name) ?? '';
  }

  optionalAmount(name: string): string | undefined {
    const text = this.values.get(name);
    return text === undefined ? undefined : typedAmount(text, name);
  }

  /** True where an option that takes no value is among the arguments. */
  flag(name: string): boolean {
    return this.values.has(name);
  }

  id<Id extends string>(name: string): Id {
    return this.optionalId<Id>(name) ?? ('' as Id);
  }

  optionalId<Id extends string>(name: string): Id | undefined {
    const text = this.values.get(name);
    if (text !== undefined && !isUuid(text))
      throw new UsageError(`${name} must be an id (UUID) such as 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f.`);
    return text?.toLowerCase() as Id | undefined;
  }

  /** Parts between commas; an empty text is an empty list. */
  list(name: string): string[] | undefined {
    return this.values
      .get(name)
      ?.split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  integer(name: string): number | undefined {
    const text = this.values.get(name);
    if (text === undefined) return undefined;
    const number = readWholeNumber(text);
    if (Number.isNaN(number)) throw new UsageError(`${name} must be a whole number.`);
    return number;
  }

  page(): PageRequest {
    const page = this.integer('page') ?? 1;
    const pageSize = this.integer('page-size') ?? 50;
    if (page < 1 || page > LAST_PAGE || pageSize < 1 || pageSize > 1000) {
      throw new UsageError(`page must be from 1 to ${LAST_PAGE}, and page-size from 1 to 1000.`);
    }
    return { page, pageSize };
  }
}

function systemAccount(): string {
  try {
    return userInfo().username;
  } catch {
    // The user id has no name on this system, as in many containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
