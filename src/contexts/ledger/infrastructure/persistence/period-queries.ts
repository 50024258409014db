import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { BooksState } from '../../domain/periods/closing-rule.js';
import type { Period } from '../../domain/periods/period.js';
import { SELECT_BOOKS_STATE } from './periods.js';

export interface ClosedPeriod {
  readonly period: Period;
  readonly closedAt: Date;
  readonly closedBy: string;
}

export interface PeriodFundsInFlight {
  readonly settling: readonly { readonly uniqueAssetId: string; readonly amount: bigint }[];
  readonly sending: number;
  readonly arriving: number;
}

const COUNT_TRANSFERS_IN_FLIGHT = `
SELECT (SELECT count(*) FROM payments.public_unposted_transfers u WHERE u.organization_id = $1) AS arriving,
  (SELECT count(*) FROM settlement.public_open_refunds r WHERE r.organization_id = $1 AND r.waits_for = 'payment')
    + (SELECT count(*) FROM settlement.public_open_float_withdrawals w WHERE w.organization_id = $1) AS sending`;

const SUM_FUNDS_IN_FLIGHT = `
SELECT unique_asset_id, sum(amount) AS amount FROM ledger.balances
WHERE account_id IN (SELECT scope_id FROM ledger.sequences WHERE organization_id = $1 AND account_id IS NOT NULL)
  AND ledger_account = 'in_flight' GROUP BY unique_asset_id HAVING sum(amount) <> 0 ORDER BY unique_asset_id`;

@Injectable()
export class PeriodQueries {
  constructor(private readonly database: Database) {}

  async books(organization: OrganizationId): Promise<BooksState | null> {
    const [books] = await this.database.query<BooksState>(SELECT_BOOKS_STATE, [organization]);
    return books ?? null;
  }

  listClosed(organization: OrganizationId): Promise<ClosedPeriod[]> {
    return this.database.query<ClosedPeriod>(
      `SELECT to_char(period, 'YYYY-MM') AS period, closed_at, closed_by FROM ledger.closed_periods
       WHERE organization_id = $1 ORDER BY closed_periods.period DESC`,
      [organization],
    );
  }

  async findFundsInFlight(organization: OrganizationId): Promise<PeriodFundsInFlight> {
    const [counts] = await this.database.query<Omit<PeriodFundsInFlight, 'settling'>>(
      COUNT_TRANSFERS_IN_FLIGHT,
      [organization],
    );
    return { ...counts!, settling: await this.database.query(SUM_FUNDS_IN_FLIGHT, [organization]) };
  }
}
