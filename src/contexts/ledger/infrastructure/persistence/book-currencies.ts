import { Injectable } from '@nestjs/common';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';

/** The present currencies in which books are valued. */
@Injectable()
export class BookCurrencies {
  constructor(private readonly database: Database) {}

  /** The answer leaves out accounts whose books have no currency of their own, and other organizations'. */
  async of(
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
