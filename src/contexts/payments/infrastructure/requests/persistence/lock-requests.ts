import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import { WATCHED } from './status-and-deadline.sql.js';

/**
 * Locks requests by ascending id until the unit of work ends. Transfers that arrived while a request was parked are recorded
 * without their sums, which are added up again here.
 * @param condition on `payments.payment_requests`, with its values
 */
export async function lockRequests(
  database: Database,
  condition: string,
  values: readonly unknown[],
): Promise<PaymentRequestId[]> {
  const rows = await database.write<{ id: PaymentRequestId; behind: boolean }>(
    `SELECT id, status IN ${WATCHED} AND sums_at_version <> version AS behind
     FROM payments.payment_requests WHERE ${condition} ORDER BY id FOR UPDATE`,
    [...values],
  );
  const behind = rows.flatMap((row) => (row.behind ? row.id : []));
  if (behind.length > 0) await database.write('SELECT payments.add_up_transfers($1)', [behind]);
  return rows.map(({ id }) => id);
}
