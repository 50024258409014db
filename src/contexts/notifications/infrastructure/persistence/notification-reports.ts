import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { toJson } from '#shared/platform/database/rows.js';
import type { NotificationRule, NotificationRuleId, ReportSchedule } from '../../domain/notification-rule.js';

export interface ReportTotal {
  readonly type: string;
  readonly uniqueAssetId: string | null;
  readonly network: string | null;
  readonly currency: string;
  readonly decimals: number;
  readonly transactions: number;
  readonly gross: bigint;
  readonly net: bigint;
}

export interface DueReport
  extends Pick<NotificationRule, 'organizationId' | 'accountId' | 'timeZone'>, Omit<ReportSchedule, 'dueAt'> {
  readonly ruleId: NotificationRuleId;
  readonly accountName: string;
  readonly organizationName: string;
}

const DAY_MS = 86_400_000;

const CLAIM_DUE_REPORT = `
WITH due AS MATERIALIZED (
  SELECT s.rule_id, s.period, s.starts_on, r.organization_id, r.account_id, r.time_zone, a.name AS account_name,
    a.organization_name
  FROM notices.report_schedules s JOIN notices.rules r ON r.id = s.rule_id
  JOIN identity.public_accounts a ON a.id = r.account_id
  WHERE s.due_at <= platform.now() AND a.deleted_at IS NULL ORDER BY s.due_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED),
claimed AS (
  UPDATE notices.report_schedules s SET due_at = platform.now() + make_interval(secs => $1)
  FROM due WHERE (s.rule_id, s.period) = (due.rule_id, due.period))
SELECT rule_id, period, starts_on::text AS starts_on, organization_id, account_id, time_zone, account_name, organization_name
FROM due`;

@Injectable()
export class NotificationReports {
  constructor(private readonly database: Database) {}

  async claimDueReport(seconds: number): Promise<DueReport | null> {
    const [due] = await this.database.query<DueReport>(CLAIM_DUE_REPORT, [seconds]);
    return due ?? null;
  }

  /** One statement per day, because of the statement timeout. */
  async sumTransactions(
    { organizationId, accountId }: DueReport,
    from: Date,
    until: Date,
  ): Promise<ReportTotal[]> {
    const sums = new Map<string, ReportTotal>();
    for (let start = from.getTime(); start < until.getTime(); start += DAY_MS) {
      const end = Math.min(start + DAY_MS, until.getTime());
      const figures = await this.database.query<ReportTotal>(
        `SELECT type, unique_asset_id, network, currency, decimals, transactions, gross, net
         FROM ledger.public_account_figures($1, $2, $3, $4)`,
        [organizationId, accountId, new Date(start), new Date(end)],
      );
      for (const figure of figures) {
        const { type, uniqueAssetId, network, currency, decimals } = figure;
        const key = [currency, network, type, uniqueAssetId, decimals].join(' ');
        sums.set(key, addTotals(figure, sums.get(key)));
      }
    }
    return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, figure]) => figure);
  }

  /** @returns false if the report of this period already exists */
  async add(
    { ruleId, period, startsOn }: DueReport,
    endsBefore: string,
    figures: readonly ReportTotal[],
    recipients: number,
  ): Promise<boolean> {
    const added = await this.database.queryInTransaction(
      `INSERT INTO notices.reports (rule_id, period, starts_on, ends_before, figures, recipients, made_at)
       VALUES ($1, $2, $3, $4, $5::jsonb, $6, platform.now()) ON CONFLICT DO NOTHING RETURNING 1`,
      [...[ruleId, period, startsOn, endsBefore], toJson(figures), recipients],
    );
    return added.length > 0;
  }

  /** @returns false if the schedule was already advanced, or the rule was deleted */
  async advanceSchedule(
    { ruleId, period, startsOn }: DueReport,
    next: string,
    dueAt: Date,
  ): Promise<boolean> {
    const moved = await this.database.queryInTransaction(
      `UPDATE notices.report_schedules SET starts_on = $4, due_at = $5
       WHERE rule_id = $1 AND period = $2 AND starts_on = $3 RETURNING 1`,
      [ruleId, period, startsOn, next, dueAt],
    );
    return moved.length > 0;
  }
}

function addTotals(figure: ReportTotal, before?: ReportTotal): ReportTotal {
  if (before === undefined) return figure;
  return {
    ...figure,
    transactions: before.transactions + figure.transactions,
    gross: before.gross + figure.gross,
    net: before.net + figure.net,
  };
}
