import { Injectable } from '@nestjs/common';
import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import {
  NEW_TRANSFER_STATE,
  type IncomingTransfer,
  type RecordedTransfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import { readTransfer, TRANSFER_JSON, type TransferJson } from './recorded-transfer-row.js';
import { UPSERT_TRANSFERS, toTransferRow } from './save-payment-requests.sql.js';

const TRANSFERS_STORED_AT_ONCE = 2_000;

interface UnevaluatedTransfers {
  readonly arrived: readonly IncomingTransfer[];
  readonly lost: readonly RecordedTransfer[];
}

@Injectable()
export class ParkedRequests {
  constructor(private readonly database: Database) {}

  async lockParked(ids: readonly PaymentRequestId[]): Promise<Set<PaymentRequestId>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.queryInTransaction<{ id: PaymentRequestId }>(
      `SELECT payment_request_id AS id FROM payments.parked_requests
       WHERE payment_request_id = ANY($1) FOR UPDATE`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async listToRetry(limit: number): Promise<PaymentRequestId[]> {
    const rows = await this.database.query<{ id: PaymentRequestId }>(
      `SELECT payment_request_id AS id FROM payments.parked_requests WHERE retry ORDER BY 1 LIMIT $1`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  async park(id: PaymentRequestId, reason: string): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO payments.parked_requests (payment_request_id, reason) VALUES ($1, $2)
       ON CONFLICT (payment_request_id) DO UPDATE SET reason = excluded.reason, retry = false`,
      [id, reason],
    );
  }

  async recordTransfers(id: PaymentRequestId, { arrived, lost }: UnevaluatedTransfers): Promise<void> {
    const [tenant] = await this.database.queryInTransaction<{
      organizationId: OrganizationId;
      accountId: AccountId;
    }>(
      `UPDATE payments.payment_requests SET sums_at_version = 0 WHERE id = $1 RETURNING organization_id, account_id`,
      [id],
    );
    const rows = arrived.map((arrival) => ({
      ...toTransferRow({ ...arrival, ...NEW_TRANSFER_STATE }),
      payment_request_id: id,
      organization_id: tenant?.organizationId,
      account_id: tenant?.accountId,
    }));
    for (let at = 0; at < rows.length; at += TRANSFERS_STORED_AT_ONCE)
      await this.database.queryInTransaction(UPSERT_TRANSFERS, [
        JSON.stringify(rows.slice(at, at + TRANSFERS_STORED_AT_ONCE)),
      ]);
    const counted = lost.filter((transfer) => transfer.counted).map((transfer) => transfer.id);
    if (counted.length === 0) return;
    await this.database.queryInTransaction(
      `UPDATE payments.parked_requests SET lost_transfers = lost_transfers || $2::uuid[] WHERE payment_request_id = $1`,
      [id, counted],
    );
  }

  /** The sums of the requests are recomputed when they are locked. Returns transfers lost while parked. */
  async unpark(ids: readonly PaymentRequestId[]): Promise<Map<PaymentRequestId, RecordedTransfer[]>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.queryInTransaction<{
      id: PaymentRequestId;
      counted: boolean;
      transfer: TransferJson;
    }>(
      `WITH released AS (
         DELETE FROM payments.parked_requests WHERE payment_request_id = ANY($1)
         RETURNING payment_request_id, lost_transfers)
       SELECT t.payment_request_id AS id, t.id = ANY(p.lost_transfers) AS counted, ${TRANSFER_JSON} AS transfer
       FROM released p JOIN payments.payment_requests r ON r.id = p.payment_request_id
       JOIN payments.transfers t ON t.payment_request_id = p.payment_request_id
       WHERE NOT t.canonical AND t.reversed_at IS NULL
         AND (t.deposited_at IS NOT NULL OR (t.id = ANY(p.lost_transfers) AND r.confirmed_at IS NOT NULL))`,
      [ids],
    );
    const lists = [...Map.groupBy(rows, ({ id }) => id)].map(([id, ofRequest]) => {
      const transfers = ofRequest.map(({ counted, transfer }) => readTransfer({ ...transfer, counted }));
      return [id, transfers] as const;
    });
    return new Map(lists);
  }
}
