import { Injectable } from '@nestjs/common';
import { newId, type PaymentRequestId, type PointOfSaleId } from '../../../../shared/kernel/ids.js';
import { Database } from '../../../../shared/platform/database/database.js';
import { EventLog } from '../../../../shared/platform/event-log/event-log.js';
import type { PaymentRequest } from '../../domain/payment-request.js';
import { PaymentRequests, type Refusal } from '../../domain/payment-requests.js';
import { ADD_PAYMENT_REQUEST } from './add-payment-request.sql.js';
import { AGGREGATE_COLUMNS, fromRow, type PaymentRequestRow } from './payment-request-row.js';

@Injectable()
export class PostgresPaymentRequests extends PaymentRequests {
  constructor(
    private readonly database: Database,
    private readonly eventLog: EventLog,
  ) {
    super();
  }

  async add(request: PaymentRequest, token: string, pointOfSaleVersion: string): Promise<Refusal | null> {
    const { deposit, ...state } = request.snapshot();
    const [event] = request.pullEvents();
    const [gate] = await this.database.query<{ current: boolean; watched: boolean }>(ADD_PAYMENT_REQUEST, [
      state.id,
      state.organizationId,
      state.accountId,
      state.pointOfSaleId,
      pointOfSaleVersion,
      state.network,
      state.uniqueAssetId,
      state.currency,
      state.decimals,
      state.amount.toString(),
      state.referenceId ?? null,
      state.order === undefined ? null : JSON.stringify(state.order),
      state.createdAt,
      state.expiresAt,
      state.countsUntil,
      deposit.address.toLowerCase(),
      deposit.factory,
      deposit.implementation,
      deposit.settlementTermsId,
      deposit.settlementAddress,
      deposit.feeRecipient,
      deposit.feeBasisPoints,
      deposit.homeChainId,
      newId(),
      event!.type,
      JSON.stringify(event!.data),
      token,
    ]);
    if (!gate!.current) return 'point_of_sale_changed';
    return gate!.watched ? null : 'network_not_watched';
  }

  async lock(ids: readonly PaymentRequestId[]): Promise<PaymentRequest[]> {
    if (ids.length === 0) return [];
    await this.database.write(
      `SELECT 1 FROM payments.payment_requests WHERE id = ANY($1) ORDER BY id FOR UPDATE`,
      [ids],
    );
    // A statement of its own: one that had to wait for the lock would see the transfers and history of before.
    const rows = await this.database.write<PaymentRequestRow>(
      `SELECT ${AGGREGATE_COLUMNS} FROM payments.payment_requests r WHERE r.id = ANY($1) ORDER BY r.id`,
      [ids],
    );
    return rows.map(fromRow);
  }

  async lockOpenOn(pointOfSale: PointOfSaleId): Promise<PaymentRequest[] | null> {
    // A creation that is not committed yet has no row that anybody could see or lock.
    const [gate] = await this.database.write<{ free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free`,
      [pointOfSale],
    );
    if (!gate!.free) return null;
    const rows = await this.database.write<{ id: PaymentRequestId }>(
      `SELECT id FROM payments.payment_requests WHERE point_of_sale_id = $1 AND status IN ('pending', 'created')`,
      [pointOfSale],
    );
    return this.lock(rows.map((row) => row.id));
  }

  async lockOpenIn(uniqueAssetId: string, limit: number): Promise<PaymentRequest[]> {
    const rows = await this.database.write<{ id: PaymentRequestId }>(
      `SELECT id FROM payments.payment_requests
       WHERE lower(unique_asset_id) = lower($1) AND status IN ('created', 'processing') ORDER BY id LIMIT $2`,
      [uniqueAssetId, limit],
    );
    return this.lock(rows.map((row) => row.id));
  }

  async openByAsset(): Promise<Map<string, number>> {
    const rows = await this.database.query<{ unique_asset_id: string; count: number }>(
      `SELECT unique_asset_id, count(*)::integer AS count FROM payments.payment_requests
       WHERE status IN ('created', 'processing') GROUP BY unique_asset_id ORDER BY unique_asset_id`,
    );
    return new Map(rows.map((row) => [row.unique_asset_id, row.count]));
  }

  async save(requests: readonly PaymentRequest[]): Promise<void> {
    if (requests.length === 0) return;
    const states = requests.map((request) => request.snapshot());
    const updated = await this.database.write(
      `UPDATE payments.payment_requests r
       SET status = s.status, received_amount = s.received_amount, expires_at = s.expires_at,
           counts_until = s.counts_until, confirmed_at = s.confirmed_at, version = r.version + 1
       FROM jsonb_to_recordset($1::jsonb) AS s (id uuid, status text, received_amount numeric, expires_at timestamptz,
         counts_until timestamptz, confirmed_at timestamptz, version integer)
       WHERE r.id = s.id AND r.version = s.version
       RETURNING r.id`,
      [
        JSON.stringify(
          states.map((state) => ({
            id: state.id,
            status: state.status,
            received_amount: state.receivedAmount.toString(),
            expires_at: state.expiresAt,
            counts_until: state.countsUntil,
            confirmed_at: state.confirmedAt,
            version: state.version,
          })),
        ),
      ],
    );
    if (updated.length !== requests.length)
      throw new Error('A payment request was changed by somebody else meanwhile.');
    await this.saveTransfers(requests);
    await this.saveHistory(requests);
    await this.eventLog.append(requests.flatMap((request) => request.pullEvents()));
  }

  private async saveTransfers(requests: readonly PaymentRequest[]): Promise<void> {
    const transfers = requests.flatMap((request) =>
      request.unsaved().transfers.map((t) => ({
        ...t,
        amount: t.amount.toString(),
        network: request.facts.network,
        payment_request_id: request.id,
        organization_id: request.facts.organizationId,
        account_id: request.facts.accountId,
      })),
    );
    if (transfers.length === 0) return;
    await this.database.write(
      `INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time,
         unique_asset_id, from_address, to_address, amount, decimals, required_confirmations, payment_request_id,
         organization_id, account_id, counted, final, detected_at)
       SELECT id, network, kind, "transactionHash", index, "blockNumber", "blockHash", "blockTime", "uniqueAssetId",
         "from", "to", amount, decimals, "requiredConfirmations", payment_request_id, organization_id, account_id, counted,
         COALESCE("blockNumber" <= (SELECT final_number FROM payments.chain_cursors c WHERE c.network = t.network), false),
         platform.now()
       FROM jsonb_to_recordset($1::jsonb) AS t (id uuid, network text, kind text, "transactionHash" text, index integer,
         "blockNumber" bigint, "blockHash" text, "blockTime" timestamptz, "uniqueAssetId" text, "from" text, "to" text,
         amount numeric, decimals smallint, "requiredConfirmations" integer, payment_request_id uuid, organization_id uuid, account_id uuid, counted boolean)
       ON CONFLICT (id) DO UPDATE SET counted = excluded.counted`,
      [JSON.stringify(transfers)],
    );
  }

  private async saveHistory(requests: readonly PaymentRequest[]): Promise<void> {
    const entries = requests.flatMap((request) =>
      request.unsaved().history.map((entry) => ({ id: request.id, ...entry })),
    );
    if (entries.length === 0) return;
    await this.database.write(
      `INSERT INTO payments.status_history (payment_request_id, step, status, at)
       SELECT id, step, status, at
       FROM jsonb_to_recordset($1::jsonb) AS h (id uuid, step smallint, status text, at timestamptz)`,
      [JSON.stringify(entries)],
    );
  }
}
