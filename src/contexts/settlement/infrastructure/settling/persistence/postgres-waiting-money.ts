import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { WaitingMoney, type WaitingChange } from '#contexts/settlement/domain/settling/waiting-money.js';

/** Each `add` deletes up to so many rows at which nothing waits, or as many as it changes where those are more. */
export const EMPTY_STEP = 1_000;

@Injectable()
export class PostgresWaitingMoney extends WaitingMoney {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(changes: readonly WaitingChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.database.write(
      `INSERT INTO settlement.waiting AS w (network, address, unique_asset_id, payment_request_id, organization_id,
         account_id, currency, decimals, amount, waiting_since)
       SELECT network, address, "uniqueAssetId", "paymentRequestId", "organizationId", "accountId", currency, decimals,
         change, CASE WHEN change > 0 THEN platform.now() END
       FROM jsonb_to_recordset($1::jsonb) AS t (n int, network text, address text, "uniqueAssetId" text,
         "paymentRequestId" uuid, "organizationId" uuid, "accountId" uuid, currency text, decimals smallint, change numeric)
       ORDER BY n
       ON CONFLICT (network, address, tag, unique_asset_id) DO UPDATE SET amount = w.amount + excluded.amount,
         waiting_since = CASE WHEN w.amount + excluded.amount > 0 THEN COALESCE(w.waiting_since, platform.now()) END`,
      [JSON.stringify(changes.map((each, n) => ({ n, ...each, change: each.change.toString() })))],
    );
    // No row says the same as a row with zero, in less space. One that is locked now goes later.
    await this.database.write(
      `DELETE FROM settlement.waiting WHERE ctid IN (SELECT ctid FROM settlement.waiting WHERE amount = 0
         ORDER BY network, address LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [Math.max(changes.length, EMPTY_STEP)],
    );
  }
}
