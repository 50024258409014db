import { Injectable } from '@nestjs/common';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { KnownRate } from '../../domain/valuation.js';

@Injectable()
export class RecordedRates {
  constructor(private readonly database: Database) {}

  /** Includes the symbols whose rates were recorded in the currency within the last hour. */
  currencies(): Promise<{ currency: string; recorded: string[] }[]> {
    return this.database.query(
      `SELECT c.currency, ARRAY(SELECT DISTINCT r.symbol FROM ledger.recorded_rates r
         WHERE r.currency = c.currency AND r.recorded_at > platform.now() - interval '1 hour') AS recorded
       FROM (SELECT DISTINCT currency FROM (
         SELECT DISTINCT ON (account_id) currency FROM ledger.book_currencies ORDER BY account_id, since DESC) present
       WHERE currency IS NOT NULL) c`,
    );
  }

  async record(
    symbol: string,
    currency: string,
    { price, sources, at }: Omit<KnownRate, 'currency'>,
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO ledger.recorded_rates (symbol, currency, recorded_at, price, sources, at)
       SELECT $1, $2, platform.now(), $3, $4::text[], $5
       WHERE NOT EXISTS (SELECT FROM ledger.recorded_rates WHERE symbol = $1 AND currency = $2
         AND recorded_at > platform.now() - interval '30 minutes')`,
      [symbol, currency, price, sources, at],
    );
  }

  /** Returns the previous currency. */
  async setCurrency(
    { organizationId, accountId }: { organizationId: OrganizationId; accountId: AccountId },
    currency: string | null,
  ): Promise<string | null> {
    const [before] = await this.database.query<{ currency: string | null }>(
      'SELECT currency FROM ledger.book_currencies WHERE account_id = $1 ORDER BY since DESC LIMIT 1',
      [accountId],
    );
    if ((before?.currency ?? null) !== currency)
      await this.database.queryInTransaction(
        `INSERT INTO ledger.book_currencies (account_id, since, organization_id, currency)
         VALUES ($1, platform.now(), $2, $3)`,
        [accountId, organizationId, currency],
      );
    return before?.currency ?? null;
  }
}

@Injectable()
export class BooksCurrencies {
  constructor(private readonly database: Database) {}

  /** Omits accounts without a currency and accounts of other organizations. */
  async findByAccounts(
    organization: OrganizationId,
    accounts: readonly AccountId[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.query<{ readonly accountId: string; readonly currency: string }>(
      `SELECT account_id, currency FROM (
         SELECT DISTINCT ON (account_id) account_id, currency FROM ledger.book_currencies
         WHERE organization_id = $1 AND account_id = ANY ($2::uuid[]) ORDER BY account_id, since DESC) present
       WHERE currency IS NOT NULL`,
      [organization, accounts],
    );
    return new Map(rows.map(({ accountId, currency }) => [accountId, currency]));
  }
}
