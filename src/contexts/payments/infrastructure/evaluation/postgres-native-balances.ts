import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import {
  NativeBalances,
  type ExpectedBalance,
  type WatchedBalancesBatch,
} from '#contexts/chain-watching/contract/native-balances.js';
import { WATCHED_STATUSES_SQL } from '../requests/persistence/status-and-deadline.sql.js';

const paidOutSql = (of: string) => `COALESCE((SELECT sum(p.to_settlement + p.to_fee) FROM payments.payouts p
      WHERE p.network = $1 AND p.address = ${of}.address AND p.unique_asset_id = $2 AND p.canonical), 0)`;

/** Canonical transfers in the coin $2, less payouts. */
const EXPECTED_BALANCE = `(COALESCE((SELECT sum(t.amount) FROM payments.transfers t
      WHERE t.payment_request_id = a.payment_request_id AND t.network = $1 AND t.unique_asset_id = $2
        AND t.to_address = a.address AND t.canonical), 0)
    - ${paidOutSql('a')}) AS expected`;

/** Ended requests have no address. `OFFSET 0` forces one lookup for each request. */
export const BALANCES_OF_OPEN_REQUESTS = `
SELECT w.payment_request_id, a.address, a.expected
FROM (SELECT payment_request_id FROM payments.balance_watch WHERE network = $1 AND payment_request_id > $3
  ORDER BY payment_request_id LIMIT $4) w
LEFT JOIN LATERAL (SELECT r.id FROM payments.payment_requests r
  WHERE r.id = w.payment_request_id AND r.status IN ${WATCHED_STATUSES_SQL} OFFSET 0) r ON true
LEFT JOIN LATERAL (SELECT a.address, ${EXPECTED_BALANCE} FROM payments.deposit_addresses a
  WHERE a.payment_request_id = r.id AND a.network = $1 OFFSET 0) a ON true
ORDER BY w.payment_request_id`;

/** Scans all open requests, but only as many ended requests as it deletes. */
const UNWATCH_ENDED_REQUESTS = `
DELETE FROM payments.balance_watch WHERE ctid = ANY (ARRAY(
  SELECT w.ctid FROM payments.balance_watch w WHERE w.network = ANY ($1) AND NOT EXISTS (
    SELECT FROM payments.payment_requests r WHERE r.id = w.payment_request_id AND r.status IN ${WATCHED_STATUSES_SQL})
  LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING payment_request_id`;

/**
 * No transfer to a pruned address is recorded, so a payout from it proves that it received at least this amount. A
 * null address means that the sweep is complete; no row means that none is due.
 */
const NEXT_BALANCES_OF_SWEEP = `
SELECT next.* FROM payments.chain_cursors c LEFT JOIN LATERAL (
  (SELECT a.address, a.payment_request_id, ${EXPECTED_BALANCE} FROM payments.deposit_addresses a
   WHERE a.network = c.network AND a.address > COALESCE(c.balances_swept_to, '')
   ORDER BY a.address LIMIT $3)
  UNION
  (SELECT d.address, d.payment_request_id, - ${paidOutSql('d')} FROM payments.pruned_addresses d
   WHERE d.network = c.network AND d.address > COALESCE(c.balances_swept_to, '')
   ORDER BY d.address LIMIT $3)
  ORDER BY address LIMIT $3) next ON true
WHERE c.network = $1
  AND (c.balances_swept_to IS NOT NULL OR c.balance_sweep_began_at IS NULL
    OR c.balance_sweep_began_at <= platform.now() - interval '1 day')`;

const REQUESTED_BALANCES = `
SELECT known.* FROM (SELECT address, asked_at FROM payments.balance_looks WHERE network = $1 AND asked_at IS NOT NULL
    ORDER BY asked_at, address LIMIT $3) asked
CROSS JOIN LATERAL (
  SELECT a.address, a.payment_request_id, ${EXPECTED_BALANCE} FROM payments.deposit_addresses a
  WHERE a.network = $1 AND a.address = asked.address AND a.tag = ''
  UNION
  SELECT d.address, d.payment_request_id, - ${paidOutSql('d')} FROM payments.pruned_addresses d
  WHERE d.network = $1 AND d.address = asked.address AND d.tag = '') known`;

const EXPECTED_BALANCES_AT_BLOCK = `
SELECT (COALESCE((SELECT sum(t.amount) FROM payments.transfers t
      WHERE t.payment_request_id = a.payment_request_id AND t.network = $1 AND t.unique_asset_id = $2
        AND t.to_address = a.address AND t.canonical AND t.block_number <= $4), 0)
    - COALESCE((SELECT sum(p.to_settlement + p.to_fee) FROM payments.payouts p
      WHERE p.network = $1 AND p.address = a.address AND p.unique_asset_id = $2 AND p.canonical
        AND p.block_number <= $4), 0)) AS expected
FROM UNNEST($3::text[]) WITH ORDINALITY AS asked (address, place)
JOIN payments.deposit_addresses a ON a.network = $1 AND a.address = asked.address
ORDER BY asked.place`;

export const PRUNE_BALANCE_COMPARISONS = `
DELETE FROM payments.balance_looks WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM payments.balance_looks
  WHERE asked_at IS NULL AND compared_at <= platform.now() - make_interval(days => $1)
  ORDER BY compared_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1`;

const LOWEST_REQUEST_ID = '00000000-0000-0000-0000-000000000000';

interface EndedRequestRow {
  readonly paymentRequestId: PaymentRequestId;
  readonly address: null;
}

@Injectable()
export class PostgresNativeBalances extends NativeBalances {
  constructor(private readonly database: Database) {
    super();
  }

  async openRequestBalances(
    network: string,
    uniqueAssetId: string,
    after: PaymentRequestId | null,
    limit: number,
  ): Promise<WatchedBalancesBatch> {
    const rows = await this.database.query<ExpectedBalance | EndedRequestRow>(BALANCES_OF_OPEN_REQUESTS, [
      ...[network, uniqueAssetId, after ?? LOWEST_REQUEST_ID, limit],
    ]);
    const ids = new Set(rows.map(({ paymentRequestId }) => paymentRequestId));
    return {
      balances: rows.filter((row) => row.address !== null),
      ended: rows.filter((row) => row.address === null).map(({ paymentRequestId }) => paymentRequestId),
      last: ids.size < limit ? null : rows.at(-1)!.paymentRequestId,
    };
  }

  async unwatch(network: string, ended: readonly PaymentRequestId[]): Promise<void> {
    if (ended.length === 0) return;
    await this.database.queryInTransaction(
      `DELETE FROM payments.balance_watch WHERE network = $1 AND payment_request_id = ANY ($2::uuid[])`,
      [network, ended],
    );
  }

  async unwatchEnded(networks: readonly string[], limit: number): Promise<number> {
    if (networks.length === 0) return 0;
    return (await this.database.query(UNWATCH_ENDED_REQUESTS, [networks, limit])).length;
  }

  async nextForDailyComparison(
    network: string,
    uniqueAssetId: string,
    limit: number,
  ): Promise<ExpectedBalance[] | null> {
    const values = [network, uniqueAssetId, limit];
    const rows = await this.database.query<ExpectedBalance | { address: null }>(
      NEXT_BALANCES_OF_SWEEP,
      values,
    );
    return rows.length === 0 ? null : rows.filter((row) => row.address !== null);
  }

  async requestedBalances(network: string, uniqueAssetId: string, limit: number): Promise<ExpectedBalance[]> {
    return this.database.query<ExpectedBalance>(REQUESTED_BALANCES, [network, uniqueAssetId, limit]);
  }

  async recordCompared(network: string, addresses: readonly string[]): Promise<void> {
    if (addresses.length === 0) return;
    await this.database.queryInTransaction(
      `UPDATE payments.balance_looks SET asked_at = NULL, compared_at = platform.now()
       WHERE network = $1 AND address = ANY ($2::text[])`,
      [network, addresses],
    );
  }

  async pruneCompared(days: number, limit: number): Promise<number> {
    return (await this.database.query(PRUNE_BALANCE_COMPARISONS, [days, limit])).length;
  }

  async expectedAt(
    network: string,
    uniqueAssetId: string,
    addresses: readonly string[],
    blockNumber: number,
  ): Promise<bigint[]> {
    const values = [network, uniqueAssetId, addresses, blockNumber];
    const rows = await this.database.query<{ expected: bigint }>(EXPECTED_BALANCES_AT_BLOCK, values);
    return rows.map(({ expected }) => expected);
  }

  async recordDailyComparison(network: string, address: string | null): Promise<void> {
    await this.database.queryInTransaction(
      `UPDATE payments.chain_cursors
       SET balance_sweep_began_at = CASE
             WHEN balances_swept_to IS NULL THEN platform.now() ELSE balance_sweep_began_at END,
           balances_swept_to = $2
       WHERE network = $1`,
      [network, address],
    );
  }
}
