import { userInfo } from 'node:os';
import { isUuid } from '#shared/kernel/ids.js';
import type { PageRequest } from '#shared/kernel/page.js';

/** The option by which an irreversible command is confirmed. */
export const CONFIRMED = 'yes';

/** The words make no command: one sentence, the usage, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The arguments and options of one command, by name. Parsing has checked that required ones are present. */
export class CommandArguments {
  constructor(
    private readonly values: ReadonlyMap<string, string>,
    /** Who acts, for audit logs. */
    readonly actor: string = `operator ${systemAccount()}`,
  ) {}

  /** All that was typed, for the operator's log. */
  given(): Record<string, string> {
    return Object.fromEntries([...this.values].filter(([name]) => name !== CONFIRMED));
  }

  text(name: string): string {
    return this.values.get(name) ?? '';
  }

  optional(name: string): string | undefined {
    return this.values.get(name);
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
    if (text !== undefined && !isUuid(text)) throw new UsageError(`${name} must be an id (UUID).`);
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
    if (!/^(?:0|[1-9][0-9]{0,8})$/.test(text)) {
      throw new UsageError(`${name} must be a whole number.`);
    }
    return Number(text);
  }

  page(): PageRequest {
    const page = this.integer('page') ?? 1;
    const pageSize = this.integer('page-size') ?? 50;
    if (page < 1 || pageSize < 1 || pageSize > 1000) {
      throw new UsageError('Pages count from 1 and hold 1 to 1000 items.');
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
