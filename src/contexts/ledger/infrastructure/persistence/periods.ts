import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { toJson } from '#shared/platform/database/rows.js';
import type { BooksState } from '../../domain/periods/closing-rule.js';
import { firstDayOf, addMonths, type Period } from '../../domain/periods/period.js';
import { STATEMENT_AMOUNT_NAMES } from './journal-parts.sql.js';
import { Statements } from './statements.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { LEDGER_LOG_EVENTS } from '../log-events.js';

/**
 * Searches 1,000 transactions for the first month, because networks reach finality at different times. Excludes
 * transactions booked for a closed month, because they count in a later month.
 */
export const SELECT_BOOKS_STATE = `
SELECT platform.now() AS now, to_char(s.closed_before, 'YYYY-MM') AS first_open,
  to_char(f.at AT TIME ZONE 'UTC', 'YYYY-MM') AS first,
  (SELECT to_char(max(c.period), 'YYYY-MM') FROM ledger.closed_periods c WHERE c.organization_id = s.scope_id) AS last_closed
FROM ledger.sequences s CROSS JOIN LATERAL (SELECT min(least(t.created_at, t.occurred_at)) AS at FROM ledger.transactions t
  WHERE t.organization_id = s.scope_id AND t.organization_sequence <= 1000 AND t.booked_for IS NULL) f
WHERE s.scope_id = $1`;

/**
 * Stores nothing if the month was reopened and closed again since. $1 organization, $2 first day of the month, $3
 * statements as JSON, $4 time of the close.
 */
const INSERT_STATEMENTS = `
WITH stored AS (
  UPDATE ledger.closed_periods SET is_stored = true WHERE organization_id = $1 AND period = $2 AND closed_at = $4 AND NOT is_stored
  RETURNING organization_id, period
)
INSERT INTO ledger.closed_statements
  (organization_id, period, account_id, unique_asset_id, currency, decimals, ${STATEMENT_AMOUNT_NAMES.join(', ')})
SELECT c.organization_id, c.period, "accountId", "uniqueAssetId", s.currency, s.decimals, ${STATEMENT_AMOUNT_NAMES.map((name) => `s.${name}`).join(', ')}
FROM stored c, jsonb_to_recordset($3::jsonb) AS s ("accountId" uuid, "uniqueAssetId" text, currency text, decimals smallint,
  ${STATEMENT_AMOUNT_NAMES.map((name) => `${name} numeric`).join(', ')})`;

@Injectable()
export class Periods {
  private readonly log = new OperatorLogWriter('ledger', LEDGER_LOG_EVENTS);

  constructor(
    private readonly database: Database,
    private readonly statements: Statements,
  ) {}

  /** Locks the organization's books until the unit of work ends, so that no entry is posted concurrently. */
  async lockBooksRow(organization: OrganizationId): Promise<BooksState | null> {
    // A separate statement, so that the next query sees everything that was committed before the lock.
    await this.database.queryInTransaction(
      'SELECT FROM ledger.sequences WHERE scope_id = $1 FOR NO KEY UPDATE',
      [organization],
    );
    const [books] = await this.database.query<BooksState>(SELECT_BOOKS_STATE, [organization]);
    return books ?? null;
  }

  /** Requires the lock on the organization's books. */
  async close(organization: OrganizationId, period: Period, by: string, at: Date): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO ledger.closed_periods (organization_id, period, closed_at, closed_by, last)
       SELECT $1, $2, $3, $4, last FROM ledger.sequences WHERE scope_id = $1`,
      [organization, firstDayOf(period), at, by],
    );
    await this.setFirstOpenPeriod(organization, addMonths(period, 1));
  }

  /** Requires the lock on the organization's books. */
  async reopen(organization: OrganizationId, period: Period): Promise<void> {
    await this.database.queryInTransaction(
      'DELETE FROM ledger.closed_periods WHERE organization_id = $1 AND period = $2',
      [organization, firstDayOf(period)],
    );
    await this.setFirstOpenPeriod(organization, period);
  }

  /**
   * Outside a unit of work, so that no writer waits. Readers calculate statements that are missing after a failure.
   */
  async storeStatements(organization: OrganizationId): Promise<void> {
    try {
      await this.storeMissingStatements(organization);
    } catch (error) {
      this.log.write('ledger.statements_not_stored', { organization_id: organization, err: error });
    }
  }

  private async storeMissingStatements(organization: OrganizationId): Promise<void> {
    const closed = await this.database.query<{ period: Period; closedAt: Date }>(
      `SELECT to_char(period, 'YYYY-MM') AS period, closed_at FROM ledger.closed_periods
       WHERE organization_id = $1 AND NOT is_stored ORDER BY closed_periods.period`,
      [organization],
    );
    for (const { period, closedAt } of closed) {
      // Nothing is booked in a closed month, so the sums do not change before they are stored.
      const scope = { organizationId: organization, accountId: null };
      const statements = await this.statements.list(scope, period, 'primary');
      await this.database.query(INSERT_STATEMENTS, [
        organization,
        firstDayOf(period),
        toJson(statements),
        closedAt,
      ]);
    }
  }

  private async setFirstOpenPeriod(organization: OrganizationId, period: Period): Promise<void> {
    await this.database.queryInTransaction(
      'UPDATE ledger.sequences SET closed_before = $2 WHERE scope_id = $1',
      [organization, firstDayOf(period)],
    );
  }
}
