import type { PaymentRequestId } from '../../../../../shared/kernel/ids.js';
import type { Database } from '../../../../../shared/platform/database/database.js';
import type { Finalized } from '../../../domain/watching/recorded-transfers.js';

/** Transfers `t` to mark; those that await a cross-check are not among them. */
const WAITS = `t.network = $1 AND t.canonical AND NOT t.final AND NOT t.awaits_cross_check AND t.block_number <= $2`;

/**
 * Judging and withdrawing an asset both lock a request before they change its transfers, so requests are locked first here
 * too. The turn locks its other requests later, and not in one order with these: two networks with the same two requests
 * may deadlock. PostgreSQL then ends one of the turns, and its loop repeats it.
 */
const LOCK_REQUESTS = `
SELECT id FROM payments.payment_requests WHERE id IN (
  SELECT payment_request_id FROM (
    SELECT t.payment_request_id FROM payments.transfers t WHERE ${WAITS} ORDER BY t.block_number, t.id LIMIT $3) oldest)
ORDER BY id FOR UPDATE`;

/** Its outer part still sees the rows as they were before, hence `NOT IN`. */
const MARK = `
WITH marked AS (
  UPDATE payments.transfers SET final = true WHERE id IN (
    SELECT t.id FROM payments.transfers t WHERE ${WAITS} ORDER BY t.block_number, t.id LIMIT $3)
  RETURNING id, payment_request_id)
SELECT m.payment_request_id AS id, count(*)::integer AS marked, NOT EXISTS (
    SELECT 1 FROM payments.transfers t
    WHERE t.payment_request_id = m.payment_request_id AND ${WAITS} AND t.id NOT IN (SELECT id FROM marked)) AS whole
FROM marked m GROUP BY m.payment_request_id`;

/** `RecordedTransfers.finalize`, in the caller's unit of work. */
export async function markFinal(
  database: Database,
  network: string,
  finalNumber: number,
  limit: number,
): Promise<Finalized> {
  // A statement of its own: one that had to wait would see the transfers of before.
  const locked = await database.write(LOCK_REQUESTS, [network, finalNumber, limit]);
  if (locked.length === 0) return { requests: [], more: false };
  const rows = await database.write<{ id: PaymentRequestId; marked: number; whole: boolean }>(MARK, [
    network,
    finalNumber,
    limit,
  ]);
  const marked = rows.reduce((sum, row) => sum + row.marked, 0);
  return { requests: rows.flatMap(({ id, whole }) => (whole ? id : [])), more: marked >= limit };
}
