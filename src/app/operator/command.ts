import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import { isUuid } from '#shared/kernel/ids.js';
import { parseTypedAmount } from '#shared/kernel/typed-amount.js';
import { readWholeNumber } from '#shared/kernel/text.js';
import { MAX_PAGE_NUMBER, type Page, type PageRequest } from '#shared/kernel/page.js';
import { presentPage } from '#shared/platform/http/answers/pagination.dto.js';
import type { Environment } from '../settings/environment.js';
import type { Answer } from './answer.js';

/** The option that confirms an irreversible command. */
export const CONFIRMED = 'yes';

/** Prints the message and the usage. Exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Command = ServiceCommand | StandaloneCommand;

export type CommandGroups = Readonly<Record<string, readonly Command[]>>;

/** A command that runs on the service's use cases and queries. */
export interface ServiceCommand extends CommandWords {
  /** Absent if the command only reads. */
  readonly changes?: Changes<
    (context: INestApplicationContext, args: CommandArguments) => Promise<Preview | null>
  >;
  /** @throws DomainError with a message for the operator */
  run(context: INestApplicationContext, args: CommandArguments): Promise<Answer>;
}

/** A command that runs without the service, for example before its setup. */
export interface StandaloneCommand extends CommandWords {
  /** Absent if the command only reads. */
  readonly changes?: Changes<(args: CommandArguments, environment: Environment) => Promise<Preview | null>> &
    // The change uses its own connection, so the operator log cannot share its transaction.
    Record<'audited', 'around it' | 'after it'>;
  runAlone(args: CommandArguments, environment: Environment): Promise<Answer>;
}

interface CommandWords {
  /** The words of the command, such as `credential create`. */
  readonly words: string;
  readonly about: string;
  /** Required positional arguments in order: name and description. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, Option>>;
  /** Arguments and options of the example in the help. */
  readonly example: string;
  /** Clause that says when a successful run exits with status 1. */
  readonly failsIf?: string;
}

export interface Option {
  /** Placeholder of the value in the usage, such as `name`, `id` or `a,b`. Absent for a flag. */
  readonly value?: string;
  readonly about: string;
  readonly required?: true;
}

/** The option of commands on one organization. */
export const ORGANIZATION = { value: 'id', about: 'id of the organization', required: true } as const;

/** Options of commands that list pages. */
export const PAGE_OPTIONS = {
  page: { value: 'n', about: 'page number (default: 1)' },
  'page-size': { value: 'n', about: 'items per page, up to 1000 (default: 50)' },
} as const satisfies Record<string, Option>;

type Changes<PreviewOf> = {
  /** The thing that the command changes, as a noun phrase. */
  readonly what: string;
  /**
   * When the operator log is written. `with it`: in the same transaction. `around it`: before and after. `after it`:
   * only after, because the command creates the log table.
   */
  readonly audited: 'with it' | 'around it' | 'after it';
  /** Returns true if the command only reads with these arguments, as with `--dry-run`. */
  readonly onlyReads?: (args: CommandArguments) => boolean;
} & (
  | {
      /** How to undo the change, as a sentence. */
      readonly undo: string;
    }
  | {
      /** The irreversible effect, as a sentence. */
      readonly irreversible: string;
      /** Describes the effect before confirmation. Null if nothing irreversible would change. */
      readonly preview: PreviewOf;
    }
);

export interface Preview {
  /** A sentence with the names of the affected things, not only their ids. */
  readonly effect: string;
  /** The string that a person types to confirm. */
  readonly confirmedBy: string;
}

/** Describes why a command needs confirmation; undefined if it does not. */
export function irreversibleOf({ changes }: Command): string | undefined {
  return changes !== undefined && 'irreversible' in changes ? changes.irreversible : undefined;
}

/** The parser has checked that required arguments are present. */
export class CommandArguments {
  private readonly values: ReadonlyMap<string, string>;

  /** @param values as typed; surrounding white space is removed */
  constructor(
    values: ReadonlyMap<string, string>,
    /** The actor in audit logs. */
    readonly actor: string = `operator ${systemAccount()}`,
  ) {
    this.values = new Map([...values].map(([name, text]) => [name, text.trim()]));
  }

  /** All arguments and options except the confirmation, for the operator log. */
  typed(): Record<string, string> {
    return Object.fromEntries([...this.values].filter(([name]) => name !== CONFIRMED));
  }

  text(name: string): string {
    return this.values.get(name) ?? '';
  }

  optional(name: string): string | undefined {
    return this.values.get(name);
  }

  /**
   * An amount in whole units, validated as in forms.
   * @throws validation_failed
   */
  amount(name: string): string {
    return this.optionalAmount(name) ?? '';
  }

  optionalAmount(name: string): string | undefined {
    const text = this.values.get(name);
    return text === undefined ? undefined : parseTypedAmount(text, name);
  }

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

  /** Splits at commas. An empty string is an empty list. */
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
    if (page < 1 || page > MAX_PAGE_NUMBER || pageSize < 1 || pageSize > 1000) {
      throw new UsageError(`page must be from 1 to ${MAX_PAGE_NUMBER}, and page-size from 1 to 1000.`);
    }
    return { page, pageSize };
  }
}

/** Answers a command with `PAGE_OPTIONS`. */
export async function pageAnswer<Item>(
  args: CommandArguments,
  list: (page: PageRequest) => Promise<Page<Item>>,
  toRow: (item: Item) => object,
): Promise<Answer> {
  const page = args.page();
  return { data: presentPage(await list(page), page, toRow) };
}

function systemAccount(): string {
  try {
    return userInfo().username;
  } catch {
    // The user id has no name on this system, as in many containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
