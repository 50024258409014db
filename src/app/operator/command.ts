import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import { isUuid } from '#shared/kernel/ids.js';
import { parseEnteredAmount } from '#shared/kernel/entered-amount.js';
import { readWholeNumber } from '#shared/kernel/text.js';
import { MAX_PAGE_NUMBER, type Page, type PageRequest } from '#shared/kernel/page.js';
import { presentListPage } from '#shared/platform/http/answers/pagination.dto.js';
import type { EnvironmentVariables } from '../settings/environment.js';
import type { CommandResult } from './command-result.js';

export const CONFIRMATION_OPTION = 'yes';

/** The operator sees the message and the usage; exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Command = ServiceCommand | StandaloneCommand;

export type CommandGroups = Readonly<Record<string, readonly Command[]>>;

export interface ServiceCommand extends CommandWords {
  readonly changes?: CommandChanges<
    (context: INestApplicationContext, args: CommandArguments) => Promise<ChangePreview | null>
  >;
  run(context: INestApplicationContext, args: CommandArguments): Promise<CommandResult>;
}

export interface StandaloneCommand extends CommandWords {
  readonly changes?: CommandChanges<
    (args: CommandArguments, environment: EnvironmentVariables) => Promise<ChangePreview | null>
  > &
    Record<'audited', 'around it' | 'after it'>;
  runAlone(args: CommandArguments, environment: EnvironmentVariables): Promise<CommandResult>;
}

interface CommandWords {
  readonly words: string;
  readonly about: string;
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, CommandOption>>;
  readonly example: string;
  readonly failsIf?: string;
}

export interface CommandOption {
  readonly value?: string;
  readonly about: string;
  readonly required?: true;
}

export const ORGANIZATION_OPTION = { value: 'id', about: 'id of the organization', required: true } as const;

export const PAGE_OPTIONS = {
  page: { value: 'n', about: 'page number (default: 1)' },
  'page-size': { value: 'n', about: 'items per page, up to 1000 (default: 50)' },
} as const satisfies Record<string, CommandOption>;

type CommandChanges<PreviewOf> = {
  readonly what: string;
  /**
   * `with it`: in the same transaction. `around it`: before and after. `after it`: because the command creates the
   * log table.
   */
  readonly audited: 'with it' | 'around it' | 'after it';
  readonly onlyReads?: (args: CommandArguments) => boolean;
} & (
  | {
      readonly undo: string;
    }
  | {
      readonly irreversible: string;
      readonly preview: PreviewOf;
    }
);

export interface ChangePreview {
  readonly effect: string;
  readonly confirmedBy: string;
}

export function irreversibleEffectOf({ changes }: Command): string | undefined {
  return changes !== undefined && 'irreversible' in changes ? changes.irreversible : undefined;
}

/** The parser has checked that required arguments are present. */
export class CommandArguments {
  private readonly values: ReadonlyMap<string, string>;

  constructor(
    values: ReadonlyMap<string, string>,
    readonly actor: string = `operator ${systemAccountName()}`,
  ) {
    this.values = new Map([...values].map(([name, text]) => [name, text.trim()]));
  }

  toRecord(): Record<string, string> {
    return Object.fromEntries([...this.values].filter(([name]) => name !== CONFIRMATION_OPTION));
  }

  text(name: string): string {
    return this.values.get(name) ?? '';
  }

  optional(name: string): string | undefined {
    return this.values.get(name);
  }

  /** In whole units. @throws validation_failed */
  amount(name: string): string {
    return this.optionalAmount(name) ?? '';
  }

  optionalAmount(name: string): string | undefined {
    const text = this.values.get(name);
    return text === undefined ? undefined : parseEnteredAmount(text, name);
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

export async function commandResultOfPage<Item>(
  args: CommandArguments,
  list: (page: PageRequest) => Promise<Page<Item>>,
  toRow: (item: Item) => object,
): Promise<CommandResult> {
  const page = args.page();
  return { data: presentListPage(await list(page), page, toRow) };
}

function systemAccountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
