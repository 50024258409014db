import { DomainError } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { Database } from '#shared/platform/database/database.js';
import { selectFields } from '../command-result.js';
import {
  type Command,
  PAGE_OPTIONS,
  commandResultOfPage,
  type ServiceCommand,
  UsageError,
} from '../command.js';

export interface OperatorAction {
  readonly actor: string;
  readonly command: string;
  readonly arguments: Readonly<Record<string, string>>;
}

type OperatorActionOutcome = 'begun' | 'done' | 'failed';

interface LogEntry extends OperatorAction {
  readonly actionId: string;
  readonly at: Date;
  readonly outcome: OperatorActionOutcome;
  readonly reason: string | null;
}

export const operatorLogCommands: ServiceCommand[] = [
  {
    words: 'audit list',
    about: 'List the operator commands that changed something, and who ran them, newest first.',
    options: PAGE_OPTIONS,
    example: '--page-size 20',
    run: (context, args) =>
      commandResultOfPage(
        args,
        (page) => new OperatorLog(context.get(Database)).list(page),
        (entry) =>
          selectFields(entry, 'actionId', 'at', 'actor', 'command', 'arguments', 'outcome', 'reason'),
      ),
  },
];

export class OperatorLog {
  constructor(private readonly database: Database) {}

  async record<Result>(
    audited: NonNullable<Command['changes']>['audited'],
    action: OperatorAction,
    change: () => Promise<Result>,
  ): Promise<Result> {
    const id = newId<string>();
    if (audited === 'with it') {
      return this.database.run(async () => {
        const result = await change();
        await this.add(id, action, 'done');
        return result;
      });
    }
    // Written before the command runs, so that a killed command leaves at least this entry.
    if (audited === 'around it') await this.add(id, action, 'begun');
    let result: Result;
    try {
      result = await change();
    } catch (error) {
      // A logging failure must not hide the command's own error.
      await this.add(id, action, 'failed', loggedReasonOf(error)).catch(() => undefined);
      throw error;
    }
    await this.add(id, action, 'done');
    return result;
  }

  async list({ page, pageSize }: PageRequest): Promise<Page<LogEntry>> {
    const items = await this.database.query<LogEntry>(
      `SELECT action_id, at, actor, command, arguments, outcome, reason
       FROM platform.operator_actions ORDER BY position DESC LIMIT $1 OFFSET $2`,
      [pageSize, (page - 1) * pageSize],
    );
    const [row] = await this.database.query<{ total: number }>(
      'SELECT count(*)::integer AS total FROM platform.operator_actions',
    );
    return { items, total: row!.total };
  }

  private async add(
    id: string,
    action: OperatorAction,
    outcome: OperatorActionOutcome,
    reason?: string,
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO platform.operator_actions (action_id, actor, command, arguments, outcome, reason)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, action.actor, action.command, action.arguments, outcome, reason ?? null],
    );
  }
}

function loggedReasonOf(error: unknown): string {
  if (error instanceof DomainError || error instanceof UsageError) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
