import { Injectable } from '@nestjs/common';
import { recipientKey, type Recipient } from '#contexts/networks/contract/deposit-addresses.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import {
  RecordedTransfers,
  type TransferEvidence,
  type RequestsWithFinalizedTransfers,
  type TransferOfRequest,
} from '#contexts/chain-watching/contract/recorded-transfers.js';
import type { FinalBlock, RecordedTransfer } from '#contexts/chain-watching/contract/incoming-transfer.js';
import { lockRequests } from '../requests/persistence/payment-request-row.js';
import { markTransfersOrphaned } from './mark-transfers-orphaned.js';
import {
  hasRequiredFinalityTagSql,
  readTransfer,
  TRANSFER_JSON,
  type TransferJson,
} from '../requests/persistence/recorded-transfer-row.js';

type OwnedTransferRow = Omit<TransferOfRequest, 'transfer'> & { transfer: TransferJson };

const OWNED_TRANSFER_COLUMNS = `t.payment_request_id, ${TRANSFER_JSON} AS transfer`;

/** Each condition has an index, ordered by id as text. */
const CONDITION_BY_EVIDENCE: Readonly<Record<TransferEvidence, string>> = {
  receipt: `t.kind <> 'balance'`,
  balances: `t.kind = 'balance'`,
};

const FINAL_FROM = '(t.block_number + t.extra_confirmations)';

/** `isFinal` of the domain. $2: the newest confirmed block; $4, $5: the newest `safe` and `finalized` block. */
const CAN_BE_MARKED_FINAL = `t.network = $1 AND t.canonical AND NOT t.final AND NOT t.awaits_cross_check AND ${FINAL_FROM} <= $2
  AND ${hasRequiredFinalityTagSql({ tag: 't.required_tag', block: 't.block_number' }, { safe: '$4::bigint', finalized: '$5::bigint' })}`;

/** An index provides the order, so that no iteration sorts all transfers. */
export const OLDEST_TO_MARK_FINAL = `SELECT t.id, t.payment_request_id FROM payments.transfers t
  WHERE ${CAN_BE_MARKED_FINAL} ORDER BY ${FINAL_FROM}, t.id LIMIT $3`;

const MARK_FINAL = `
WITH marked AS (
  UPDATE payments.transfers SET final = true WHERE id IN (SELECT id FROM (${OLDEST_TO_MARK_FINAL}) oldest) RETURNING payment_request_id)
SELECT payment_request_id AS id, count(*)::integer AS marked FROM marked GROUP BY 1`;

/** After the outcome block, or in an asset that did not pay the request. */
const UNCOUNT_OUTSIDE_OUTCOME = `
UPDATE payments.transfers SET counted = false WHERE id IN (
  SELECT rest.id FROM payments.payment_requests r JOIN payments.received_sums s ON s.payment_request_id = r.id
  CROSS JOIN LATERAL (
    SELECT t.id FROM payments.transfers t
    WHERE t.payment_request_id = r.id AND t.unique_asset_id = s.unique_asset_id AND t.counted
      AND (t.block_number > CASE
        WHEN r.confirmed_at IS NOT NULL AND s.unique_asset_id = r.unique_asset_id THEN r.outcome_block ELSE -1 END) IS NOT FALSE
    LIMIT $2) rest
  WHERE r.id = ANY($1) LIMIT $2)
RETURNING id`;

const REQUESTS_UNCOUNTED_AT_ONCE = 50;

@Injectable()
export class PostgresRecordedTransfers extends RecordedTransfers {
  constructor(private readonly database: Database) {
    super();
  }

  async findOwners(
    network: string,
    recipients: readonly Recipient[],
  ): Promise<Map<string, PaymentRequestId>> {
    const addresses = new Set(recipients.map(({ address }) => address));
    const tags = new Set(recipients.map(({ tag = '' }) => tag));
    const rows = await this.database.query<{
      address: string;
      tag: string;
      paymentRequestId: PaymentRequestId;
    }>(
      `SELECT address, tag, payment_request_id FROM payments.deposit_addresses
       WHERE network = $1 AND address = ANY($2) AND tag = ANY($3)
       UNION ALL
       SELECT address, tag, payment_request_id FROM payments.pruned_addresses
       WHERE network = $1 AND address = ANY($2) AND tag = ANY($3)`,
      [network, [...addresses], [...tags]],
    );
    return new Map(rows.map((row) => [recipientKey(row), row.paymentRequestId]));
  }

  async transfersBetween(network: string, from: number, to: number): Promise<TransferOfRequest[]> {
    const rows = await this.database.query<OwnedTransferRow>(
      `SELECT ${OWNED_TRANSFER_COLUMNS} FROM payments.transfers t
       WHERE t.network = $1 AND t.block_number BETWEEN $2 AND $3 AND t.canonical AND t.kind <> 'balance'`,
      [network, from, to],
    );
    return rows.map(toOwnedTransfer);
  }

  async lastBlockWithin(network: string, from: number, to: number, limit: number): Promise<number> {
    const [first] = await this.database.query<{ blockNumber: number }>(
      `SELECT block_number FROM payments.transfers
       WHERE network = $1 AND block_number BETWEEN $2 AND $3 AND canonical ORDER BY block_number OFFSET $4 LIMIT 1`,
      [network, from, to, limit],
    );
    return first === undefined ? to : Math.max(from, first.blockNumber - 1);
  }

  async awaitingCrossCheck(
    network: string,
    evidence: TransferEvidence,
    after: string,
    limit: number,
  ): Promise<TransferOfRequest[]> {
    const rows = await this.database.query<OwnedTransferRow>(
      `SELECT ${OWNED_TRANSFER_COLUMNS} FROM payments.transfers t
       WHERE t.network = $1 AND t.canonical AND t.awaits_cross_check AND ${CONDITION_BY_EVIDENCE[evidence]}
         AND t.id::text COLLATE "C" > $2 ORDER BY t.id::text COLLATE "C" LIMIT $3`,
      [network, after, limit],
    );
    return rows.map(toOwnedTransfer);
  }

  async internalTransfersFrom(
    network: string,
    addresses: readonly string[],
    from: number,
  ): Promise<TransferOfRequest[]> {
    const rows = await this.database.query<OwnedTransferRow>(
      `SELECT ${OWNED_TRANSFER_COLUMNS} FROM payments.transfers t
       JOIN payments.deposit_addresses a ON a.payment_request_id = t.payment_request_id
       WHERE a.network = $1 AND a.address = ANY($2) AND t.network = $1 AND t.to_address = a.address
         AND t.kind = 'balance' AND t.canonical AND t.block_number >= $3`,
      [network, addresses, from],
    );
    return rows.map(toOwnedTransfer);
  }

  async finalize(network: string, final: FinalBlock, limit: number): Promise<RequestsWithFinalizedTransfers> {
    // Requests are locked before their transfers, as in their evaluation. Two networks may still deadlock, because an
    // iteration locks its other requests later. PostgreSQL then aborts one iteration, and its loop repeats it.
    const values = [network, final.number, limit, final.safe, final.finalized];
    const oldest = `id IN (SELECT payment_request_id FROM (${OLDEST_TO_MARK_FINAL}) oldest)`;
    const locked = await lockRequests(this.database, oldest, values);
    if (locked.length === 0) return { requests: [], more: false };
    // A separate statement, because a statement that waited for the locks would see older transfers.
    const rows = await this.database.queryInTransaction<{ id: PaymentRequestId; marked: number }>(
      MARK_FINAL,
      values,
    );
    const marked = rows.reduce((sum, row) => sum + row.marked, 0);
    return { requests: rows.map(({ id }) => id), more: marked >= limit };
  }

  async confirmCrossChecked(transferIds: readonly string[]): Promise<void> {
    if (transferIds.length === 0) return;
    const requests = 'SELECT payment_request_id FROM payments.transfers WHERE id = ANY($1)';
    await lockRequests(this.database, `id IN (${requests})`, [transferIds]);
    await this.database.queryInTransaction(
      'UPDATE payments.transfers SET awaits_cross_check = false WHERE id = ANY($1) AND canonical',
      [transferIds],
    );
  }

  async uncountTransfersOfEndedRequests(limit: number): Promise<boolean> {
    const ended = await this.database.queryInTransaction<{ id: PaymentRequestId }>(
      `SELECT id FROM payments.payment_requests WHERE uncounting ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [REQUESTS_UNCOUNTED_AT_ONCE],
    );
    if (ended.length === 0) return false;
    const ids = ended.map(({ id }) => id);
    const uncounted = await this.database.queryInTransaction(UNCOUNT_OUTSIDE_OUTCOME, [ids, limit]);
    if (uncounted.length < limit)
      await this.database.queryInTransaction(
        'UPDATE payments.payment_requests SET uncounting = false WHERE id = ANY($1)',
        [ids],
      );
    return true;
  }

  async markOrphaned(transferIds: readonly string[]): Promise<Map<PaymentRequestId, RecordedTransfer[]>> {
    if (transferIds.length === 0) return new Map();
    return markTransfersOrphaned(this.database, 'id = ANY($1)', [transferIds]);
  }

  markOrphanedAbove(
    network: string,
    blockNumber: number,
  ): Promise<Map<PaymentRequestId, RecordedTransfer[]>> {
    return markTransfersOrphaned(this.database, 'network = $1 AND block_number > $2', [network, blockNumber]);
  }

  async blockAtLimit(network: string, blockNumber: number, limit: number): Promise<number | null> {
    const [first] = await this.database.query<{ blockNumber: number }>(
      `SELECT block_number FROM payments.transfers
       WHERE network = $1 AND block_number > $2 AND canonical ORDER BY block_number DESC OFFSET $3 LIMIT 1`,
      [network, blockNumber, limit],
    );
    return first?.blockNumber ?? null;
  }
}

function toOwnedTransfer({ paymentRequestId, transfer }: OwnedTransferRow): TransferOfRequest {
  return { paymentRequestId, transfer: readTransfer(transfer) };
}
