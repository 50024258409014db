import { Injectable } from '@nestjs/common';
import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';
import {
  PendingTransferRecords,
  type RequestedAssetAmount,
  type RequestDeadlineAndAmounts,
  type KnownTransfer,
  type RecordedPendingTransfer,
} from '#contexts/chain-watching/contract/pending-transfer-records.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { lockRequests } from '../requests/persistence/payment-request-row.js';
import {
  readTransfer,
  TRANSFER_JSON,
  type TransferJson,
} from '../requests/persistence/recorded-transfer-row.js';

/** A request without a session has its only asset in its own row. */
export const REQUEST_TERMS = `
SELECT r.id, r.expires_at, r.unique_asset_id, r.amount, NULL AS currency, NULL AS price FROM payments.payment_requests r
WHERE r.id = ANY($1) AND r.unique_asset_id IS NOT NULL
UNION ALL
SELECT r.id, r.expires_at, s.unique_asset_id, s.amount, c.coin_code, s.rate FROM payments.payment_requests r
JOIN payments.selections s ON s.payment_request_id = r.id
JOIN payments.checkouts c ON c.payment_request_id = r.id WHERE r.id = ANY($1)
UNION ALL
SELECT p.id, p.expires_at, v.value ->> 'unique_asset_id', a.amount, NULL, NULL FROM payments.pruned_requests p
JOIN payments.pruned_addresses a ON a.payment_request_id = p.id
JOIN payments.pruned_values v ON v.id = a.selection_value WHERE p.id = ANY($1)`;

const SEEN_TRANSFER_COLUMNS = `t.payment_request_id, t.canonical, ${TRANSFER_JSON} AS transfer`;

/** Does not search by request, because anyone can send a request any number of pending transfers. */
export const KNOWN_OR_CONFLICTING_TRANSFERS = `
SELECT ${SEEN_TRANSFER_COLUMNS} FROM payments.transfers t
WHERE t.network = $1 AND t.transaction_hash = ANY($2) AND t.seen_at IS NOT NULL
UNION ALL
SELECT ${SEEN_TRANSFER_COLUMNS} FROM payments.transfers t
WHERE t.transaction_hash <> ALL($2) AND t.id IN (
  SELECT w.id FROM jsonb_array_elements($3::jsonb) part CROSS JOIN LATERAL (
    SELECT id FROM payments.transfers
    WHERE evidence @> part.value AND network = $1 AND canonical AND block_number IS NULL OFFSET 0) w)`;

const IS_PENDING = `t.network = $1 AND t.canonical AND t.block_number IS NULL`;

/** Transfers that have lapsed, then the next ones, in the order of an index. */
export const NEXT_PENDING_TRANSFERS = `
(SELECT id, transaction_hash, lapses_at, missing_since FROM payments.transfers t
 WHERE ${IS_PENDING} AND t.lapses_at < $2 ORDER BY t.lapses_at, t.id LIMIT $5)
UNION ALL
(SELECT id, transaction_hash, lapses_at, missing_since FROM payments.transfers t
 WHERE ${IS_PENDING} AND t.lapses_at >= $2 AND (t.lapses_at, t.id) > ($3::timestamptz, $4::uuid)
 ORDER BY t.lapses_at, t.id LIMIT $5)`;

const BEFORE_FIRST_TRANSFER = { lapsesAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

@Injectable()
export class PostgresPendingTransferRecords extends PendingTransferRecords {
  constructor(private readonly database: Database) {
    super();
  }

  async findRequestTerms(
    requests: readonly PaymentRequestId[],
  ): Promise<Map<PaymentRequestId, RequestDeadlineAndAmounts>> {
    const rows = await this.database.query<{
      id: PaymentRequestId;
      expiresAt: Date;
      uniqueAssetId: string;
      amount: bigint;
      currency: string | null;
      price: string | null;
    }>(REQUEST_TERMS, [requests]);
    const terms = [...Map.groupBy(rows, ({ id }) => id)].map(([id, ofRequest]) => {
      const requested = new Map<string, RequestedAssetAmount>();
      for (const { uniqueAssetId, amount, currency, price } of ofRequest) {
        const rate =
          currency === null || price === null ? requested.get(uniqueAssetId)?.rate : { currency, price };
        requested.set(uniqueAssetId, { amount, ...(rate && { rate }) });
      }
      return [id, { expiresAt: ofRequest[0]!.expiresAt, requested }] as const;
    });
    return new Map(terms);
  }

  async knownTransfers(
    network: string,
    transactionHashes: readonly string[],
    conflicting: readonly Derivation[],
  ): Promise<KnownTransfer[]> {
    const parts = [...new Set(conflicting.map((part) => JSON.stringify(part)))];
    const rows = await this.database.query<Omit<KnownTransfer, 'transfer'> & { transfer: TransferJson }>(
      KNOWN_OR_CONFLICTING_TRANSFERS,
      [network, transactionHashes, `[${parts.join()}]`],
    );
    const seen = rows.map((row) => ({ ...row, transfer: readTransfer(row.transfer) }));
    const lapseOf = ({ transfer }: KnownTransfer) => transfer.sight?.lapsesAt.getTime() ?? 0;
    return seen.sort((a, b) => lapseOf(a) - lapseOf(b));
  }

  pendingTransfers(
    network: string,
    lapsedBefore: Date,
    after: Pick<RecordedPendingTransfer, 'id' | 'lapsesAt'> | null,
    limit: number,
  ): Promise<RecordedPendingTransfer[]> {
    const { lapsesAt, id } = after ?? BEFORE_FIRST_TRANSFER;
    return this.database.query<RecordedPendingTransfer>(NEXT_PENDING_TRANSFERS, [
      network,
      lapsedBefore,
      lapsesAt,
      id,
      limit,
    ]);
  }

  async evidence(transferIds: readonly string[]) {
    const rows = await this.database.query<{ id: string; transactionHash: string; evidence: Derivation }>(
      'SELECT id, transaction_hash, evidence FROM payments.transfers WHERE id = ANY($1)',
      [transferIds],
    );
    return new Map(rows.map(({ id, ...gone }) => [id, gone]));
  }

  async recordMissing(
    { missing, back }: { readonly missing: readonly string[]; readonly back: readonly string[] },
    alsoChanged: readonly string[],
  ): Promise<void> {
    if (missing.length + back.length === 0) return;
    const both = [...missing, ...back];
    const requests = 'SELECT payment_request_id FROM payments.transfers WHERE id = ANY($1)';
    await lockRequests(this.database, `id IN (${requests})`, [[...both, ...alsoChanged]]);
    await this.database.queryInTransaction(
      `UPDATE payments.transfers SET missing_since = CASE WHEN id = ANY($2) THEN platform.now() END WHERE id = ANY($1)`,
      [both, missing],
    );
  }
}
