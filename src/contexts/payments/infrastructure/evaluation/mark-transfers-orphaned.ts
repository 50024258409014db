import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import type { RecordedTransfer } from '#contexts/chain-watching/contract/incoming-transfer.js';
import { lockRequests } from '../requests/persistence/payment-request-row.js';
import {
  readTransfer,
  TRANSFER_JSON,
  type TransferJson,
} from '../requests/persistence/recorded-transfer-row.js';

/** Locks the requests first. @param condition on `payments.transfers` @returns the transfers before the change */
export async function markTransfersOrphaned(
  database: Database,
  condition: string,
  values: readonly unknown[],
): Promise<Map<PaymentRequestId, RecordedTransfer[]>> {
  // A separate statement, because another holder of a request's lock may be changing which transfers count.
  const concerned = `SELECT payment_request_id FROM payments.transfers WHERE ${condition} AND canonical`;
  await lockRequests(database, `id IN (${concerned})`, values);
  const rows = await database.queryInTransaction<{
    paymentRequestId: PaymentRequestId;
    counted: boolean;
    transfer: TransferJson;
  }>(
    `UPDATE payments.transfers t SET canonical = false, counted = false
     FROM (SELECT id, counted FROM payments.transfers WHERE ${condition} AND canonical) was
     WHERE t.id = was.id
     RETURNING t.payment_request_id, was.counted, ${TRANSFER_JSON} AS transfer`,
    [...values],
  );
  const groups = Map.groupBy(rows, ({ paymentRequestId }) => paymentRequestId);
  const lists = [...groups].map(([id, ofRequest]) => {
    const transfers = ofRequest.map(({ counted, transfer }) => readTransfer({ ...transfer, counted }));
    return [id, transfers] as const;
  });
  return new Map(lists);
}
