import { UsageError } from './command-arguments.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Database } from '#shared/platform/database/database.js';

export interface OperatorAction {
  readonly actor: string;
  readonly command: string;
  /** Arguments and options by name. */
  readonly given: Readonly<Record<string, string>>;
}

type Outcome = 'begun' | 'done' | 'failed';

export interface OperatorEntry {
  readonly actionId: string;
  readonly at: Date;
  readonly actor: string;
  readonly command: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly outcome: Outcome;
  readonly reason: string | null;
}

/** The append-only log of what the operator's commands changed. */
export class OperatorActions {
  constructor(private readonly database: Database) {}

  /** Runs a change that is one transaction: its entry is committed with it, or not at all. */
  recordedWith<Result>(action: OperatorAction, change: () => Promise<Result>): Promise<Result> {
    return this.database.run(async () => {
      const result = await change();
      await this.add(newId(), action, 'done');
      return result;
    });
  }

  /** Runs a change that is more than one transaction, or outside the database. A killed command leaves `begun` alone. */
  async recordedAround<Result>(action: OperatorAction, change: () => Promise<Result>): Promise<Result> {
    const id = newId<string>();
    await this.add(id, action, 'begun');
    return this.ended(id, action, change);
  }

  /** Runs a change that brings the log itself. */
  recordedAfter<Result>(action: OperatorAction, change: () => Promise<Result>): Promise<Result> {
    return this.ended(newId(), action, change);
  }

  /** Newest first. */
  async list({ page, pageSize }: PageRequest): Promise<Page<OperatorEntry>> {
    const items = await this.database.query<OperatorEntry>(
      `SELECT action_id, at, actor, command, arguments, outcome, reason
       FROM platform.operator_actions ORDER BY position DESC LIMIT $1 OFFSET $2`,
      [pageSize, (page - 1) * pageSize],
    );
    const [row] = await this.database.query<{ total: number }>(
      'SELECT count(*)::integer AS total FROM platform.operator_actions',
    );
    return { items, total: row!.total };
  }

  private async add(id: string, action: OperatorAction, outcome: Outcome, reason?: string): Promise<void> {
    await this.database.query(
      `INSERT INTO platform.operator_actions (action_id, actor, command, arguments, outcome, reason)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, action.actor, action.command, action.given, outcome, reason ?? null],
    );
  }

  private async ended<Result>(
    id: string,
    action: OperatorAction,
    change: () => Promise<Result>,
  ): Promise<Result> {
    let result: Result;
    try {
      result = await change();
    } catch (error) {
      // The command's own error is the one to be read.
      await this.add(id, action, 'failed', reasonOf(error)).catch(() => undefined);
      throw error;
    }
    await this.add(id, action, 'done');
    return result;
  }
}

/** A refusal has its own sentence. Any other error is named by its class alone: its message may hold what was sent. */
function reasonOf(error: unknown): string {
  if (error instanceof DomainError || error instanceof UsageError) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
