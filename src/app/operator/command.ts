import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import { isUuid } from '#shared/kernel/ids.js';
import { parseTypedAmount } from '#shared/kernel/typed-amount.js';
import { readWholeNumber } from '#shared/kernel/text.js';
import { MAX_PAGE_NUMBER, type Page, type PageRequest } from '#shared/kernel/page.js';
import { presentPage } from '#shared/platform/http/answers/pagination.dto.js';
import type { EnvironmentVariables } from '../settings/environment.js';
import type { CommandAnswer } from './answer.js';

/** Name of the option that confirms an irreversible command. */
export const CONFIRMATION_OPTION = 'yes';

/** Error in the arguments of a command. The operator sees its message and the usage; exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Command = ServiceCommand | StandaloneCommand;

export type CommandGroups = Readonly<Record<string, readonly Command[]>>;

/** An operator command that calls the service's use cases and queries. */
export interface ServiceCommand extends CommandWords {
  /** Absent if the command only reads. */
  readonly changes?: CommandChanges<
    (context: INestApplicationContext, args: CommandArguments) => Promise<ChangePreview | null>
  >;
  /** Runs the command. @throws DomainError with a message for the operator */
  run(context: INestApplicationContext, args: CommandArguments): Promise<CommandAnswer>;
}

/** An operator command that runs without the service, for example before the service is set up. */
export interface StandaloneCommand extends CommandWords {
  /** Absent if the command only reads. */
  readonly changes?: CommandChanges<
    (args: CommandArguments, environment: EnvironmentVariables) => Promise<ChangePreview | null>
  > &
    // Not `with it`: the change uses its own connection, so the operator log cannot share its transaction.
    Record<'audited', 'around it' | 'after it'>;
  runAlone(args: CommandArguments, environment: EnvironmentVariables): Promise<CommandAnswer>;
}

interface CommandWords {
  /** The words of the command, such as `credential create`. */
  readonly words: string;
  readonly about: string;
  /** Descriptions of the required positional arguments by name, in order. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Example arguments and options, shown in the help. */
  readonly example: string;
  /** Clause in the help that says when a run without an error exits with status 1. */
  readonly failsIf?: string;
}

export interface CommandOption {
  /** Placeholder of the option's value in the help, such as `name`, `id` or `a,b`. Absent for a flag. */
  readonly value?: string;
  readonly about: string;
  readonly required?: true;
}

/** The option `organization` of commands that act on one organization. */
export const ORGANIZATION_OPTION = { value: 'id', about: 'id of the organization', required: true } as const;

/** Options of commands that list records in pages. */
export const PAGE_OPTIONS = {
  page: { value: 'n', about: 'page number (default: 1)' },
  'page-size': { value: 'n', about: 'items per page, up to 1000 (default: 50)' },
} as const satisfies Record<string, CommandOption>;

type CommandChanges<PreviewOf> = {
  /** Noun phrase for the thing that the command changes. */
  readonly what: string;
  /**
   * When the change is written to the operator log. `with it`: in the same transaction. `around it`: before and after
   * the change. `after it`: only after the change, because the command creates the log table.
   */
  readonly audited: 'with it' | 'around it' | 'after it';
  /** Returns true if the command only reads with these arguments, as with `--dry-run`. */
  readonly onlyReads?: (args: CommandArguments) => boolean;
} & (
  | {
      /** Sentence that tells the operator how to undo the change. */
      readonly undo: string;
    }
  | {
      /** Sentence that describes the irreversible effect. */
      readonly irreversible: string;
      /** Describes the effect before the operator confirms it. Null if nothing irreversible would change. */
      readonly preview: PreviewOf;
    }
);

export interface ChangePreview {
  /** Sentence that describes the effect and names what is affected, not only its ids. */
  readonly effect: string;
  /** Text that the operator must type to confirm the change. */
  readonly confirmedBy: string;
}

/** Describes why a command needs confirmation; undefined if it does not. */
export function irreversibleEffectOf({ changes }: Command): string | undefined {
  return changes !== undefined && 'irreversible' in changes ? changes.irreversible : undefined;
}

/** The parsed arguments and options of a command. The parser has checked that required ones are present. */
export class CommandArguments {
  private readonly values: ReadonlyMap<string, string>;

  /** @param values arguments and options by name, as typed; surrounding white space is removed */
  constructor(
    values: ReadonlyMap<string, string>,
    /** Name of the operator in audit logs. */
    readonly actor: string = `operator ${systemAccountName()}`,
  ) {
    this.values = new Map([...values].map(([name, text]) => [name, text.trim()]));
  }

  /** Returns all arguments and options except the confirmation, for the operator log. */
  typed(): Record<string, string> {
    return Object.fromEntries([...this.values].filter(([name]) => name !== CONFIRMATION_OPTION));
  }

  text(name: string): string {
    return this.values.get(name) ?? '';
  }

  optional(name: string): string | undefined {
    return this.values.get(name);
  }

  /**
   * Returns an argument that must be an amount in whole units.
   * @throws validation_failed if it is not a valid amount
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

  /** Splits the value of an option at commas. An empty string is an empty list. */
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

/** Builds the answer of a command that lists records in pages. */
export async function answerPage<Item>(
  args: CommandArguments,
  list: (page: PageRequest) => Promise<Page<Item>>,
  toRow: (item: Item) => object,
): Promise<CommandAnswer> {
  const page = args.page();
  return { data: presentPage(await list(page), page, toRow) };
}

function systemAccountName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user id has no user name on this system, as in many containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
