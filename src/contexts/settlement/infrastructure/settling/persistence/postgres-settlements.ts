import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import {
  type EmptiedAddress,
  type RecordedSettlementStatus,
  Settlement,
  type SettlementDetails,
  Settlements,
  type WaitingBalanceChange,
} from '#contexts/settlement/domain/settling/settlement.js';

/** Amounts are strings, because JSON numbers would lose precision. */
type AddressRow = Omit<EmptiedAddress, 'toSettlement' | 'toFee'> &
  Readonly<Record<'toSettlement' | 'toFee', string>>;

interface SettlementRow extends Omit<SettlementDetails, 'addresses'> {
  readonly status: RecordedSettlementStatus;
  readonly addresses: readonly AddressRow[];
}

/** A `save` that changes more balances may delete as many as it changes. */
export const MAX_ZERO_BALANCES_DELETED = 1_000;

@Injectable()
export class PostgresSettlements extends Settlements {
  constructor(
    private readonly database: Database,
    private readonly eventLog: EventLog,
  ) {
    super();
  }

  override async lockByPayouts(payouts: readonly string[]): Promise<Settlement[]> {
    const rows = await this.database.queryInTransaction<SettlementRow>(
      `SELECT s.id, payouts_id, organization_id, account_id, network, unique_asset_id, currency, decimals, settlement_address,
         paid_from AS "from", transaction_hash, status,
         (SELECT jsonb_agg(jsonb_build_object('paymentRequestId', a.payment_request_id, 'address', a.address,
            'toSettlement', a.to_settlement::text, 'toFee', a.to_fee::text, 'feeBasisPoints', a.fee_basis_points)
            ORDER BY a.number) FROM settlement.settled_addresses a WHERE a.settlement_id = s.id) AS addresses
       FROM settlement.settlements s WHERE payouts_id = ANY ($1::uuid[]) ORDER BY s.id FOR UPDATE OF s`,
      [payouts],
    );
    return rows.map(({ status, addresses, ...facts }) =>
      Settlement.restore(
        {
          ...facts,
          addresses: addresses.map((each) => ({
            ...each,
            toSettlement: BigInt(each.toSettlement),
            toFee: BigInt(each.toFee),
          })),
        },
        status,
      ),
    );
  }

  override async save(
    settlements: readonly Settlement[],
    waiting: readonly WaitingBalanceChange[],
    at: Date,
  ): Promise<void> {
    const fresh = settlements.filter(({ storedAs }) => storedAs === null);
    const changed = settlements.filter(({ storedAs, status }) => storedAs !== null && storedAs !== status);
    if (fresh.length > 0) await this.insert(fresh, at);
    if (changed.length > 0) await this.update(changed, at);
    await this.eventLog.append(settlements.flatMap((settlement) => settlement.pullEvents()));
    await this.changeWaitingBalances(waiting);
  }

  private async insert(settlements: readonly Settlement[], at: Date): Promise<void> {
    const rows = settlements.map(({ facts, amount, feeAmount, status }) => {
      const { addresses, ...rest } = facts;
      const sums = { amount: amount.toString(), feeAmount: feeAmount.toString() };
      return { ...rest, ...sums, status, paymentCount: addresses.length };
    });
    await this.database.queryInTransaction(
      `INSERT INTO settlement.settlements (id, payouts_id, organization_id, account_id, network, unique_asset_id, currency,
         decimals, amount, fee_amount, settlement_address, paid_from, transaction_hash, payment_count, status, created_at,
         updated_at)
       SELECT id, "payoutsId", "organizationId", "accountId", network, "uniqueAssetId", currency, decimals, amount,
         "feeAmount", "settlementAddress", "from", "transactionHash", "paymentCount", status, $2, $2
       FROM jsonb_to_recordset($1::jsonb) AS t (id uuid, "payoutsId" uuid, "organizationId" uuid, "accountId" uuid,
         network text, "uniqueAssetId" text, currency text, decimals smallint, amount numeric, "feeAmount" numeric,
         "settlementAddress" text, "from" text, "transactionHash" text, "paymentCount" int, status text)`,
      [JSON.stringify(rows), at],
    );
    const addresses = settlements.flatMap(({ facts }) =>
      facts.addresses.map(({ toSettlement, toFee, ...address }, index) => ({
        ...{ settlementId: facts.id, number: index + 1, ...address },
        ...{ toSettlement: toSettlement.toString(), toFee: toFee.toString() },
      })),
    );
    await this.database.queryInTransaction(
      `INSERT INTO settlement.settled_addresses (settlement_id, number, payment_request_id, address, to_settlement, to_fee,
         fee_basis_points)
       SELECT "settlementId", number, "paymentRequestId", address, "toSettlement", "toFee", "feeBasisPoints"
       FROM jsonb_to_recordset($1::jsonb) AS t ("settlementId" uuid, number int, "paymentRequestId" uuid, address text,
         "toSettlement" numeric, "toFee" numeric, "feeBasisPoints" int)`,
      [JSON.stringify(addresses)],
    );
  }

  private async update(settlements: readonly Settlement[], at: Date): Promise<void> {
    const rows = await this.database.queryInTransaction(
      `UPDATE settlement.settlements s SET status = t.status, updated_at = greatest(created_at, $4)
       FROM UNNEST($1::uuid[], $2::text[], $3::text[]) AS t (id, stored, status)
       WHERE s.id = t.id AND s.status = t.stored RETURNING s.id`,
      [
        settlements.map(({ facts }) => facts.id),
        settlements.map(({ storedAs }) => storedAs),
        settlements.map(({ status }) => status),
        at,
      ],
    );
    if (rows.length !== settlements.length) throw new Error('A settlement has changed since it was read.');
  }

  private async changeWaitingBalances(changes: readonly WaitingBalanceChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.database.queryInTransaction(
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
    // A missing row means a balance of zero and takes no space. Rows that are locked now are deleted by a later `save`.
    await this.database.queryInTransaction(
      `DELETE FROM settlement.waiting WHERE ctid IN (SELECT ctid FROM settlement.waiting WHERE amount = 0
         ORDER BY network, address LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [Math.max(changes.length, MAX_ZERO_BALANCES_DELETED)],
    );
  }
}
