import { progressWatermarkExpression } from '#contexts/chain-watching/contract/reading-progress.js';
import { LAST_COUNTING, LEAST_PAYMENT } from '../requests/persistence/status-and-deadline.sql.js';

/**
 * Open requests past their deadline. `counts_until` uses the longest grace period of a request's networks, so a request may be found
 * late but never early. Excludes requests that wait for a cross-check or a final block: they are evaluated at that event, and would be
 * evaluated in vain in every iteration here. Networks that are no longer read are ignored.
 * @param awaited condition on the request `r`, for each status: no other network is awaited
 */
function pastDeadline(awaited: Record<'created' | 'processing', string>): string {
  return `
(SELECT id FROM payments.payment_requests r
 WHERE network = $1 AND status = 'processing' AND counts_until < $3 AND ${awaited.processing}
   AND NOT EXISTS (SELECT 1 FROM payments.parked_requests p WHERE p.payment_request_id = r.id)
   AND NOT EXISTS (SELECT 1 FROM payments.received_sums u
     LEFT JOIN payments.selections s ON s.payment_request_id = r.id AND s.unique_asset_id = u.unique_asset_id
     WHERE u.payment_request_id = r.id AND u.network = ANY($5)
       AND u.seen_amount > u.final_amount AND u.seen_amount >= ${LEAST_PAYMENT})
 ORDER BY counts_until LIMIT $4)
UNION ALL
(SELECT id FROM payments.payment_requests r
 WHERE network = $1 AND status = 'created' AND counts_until < $2 AND ${awaited.created}
   AND NOT EXISTS (SELECT 1 FROM payments.parked_requests p WHERE p.payment_request_id = r.id) ORDER BY counts_until LIMIT $4)
LIMIT $4`;
}

/** @param time expression for how far a network `c` was read */
function allOthersPast(time: string): string {
  return `NOT EXISTS (
     SELECT 1 FROM payments.selections s JOIN payments.chain_cursors c ON c.network = s.network
     WHERE s.payment_request_id = r.id AND s.network <> $1 AND s.network = ANY($5)
       AND (${time} > ${LAST_COUNTING}) IS NOT TRUE)`;
}

export const PAST_DEADLINE = pastDeadline({ created: 'true', processing: 'true' });
/** Waits for all networks of a request, because any of them may bring a larger share. */
export const PAST_DEADLINE_OF_SEVERAL = pastDeadline({
  created: allOthersPast(progressWatermarkExpression('c.head_time')),
  processing: allOthersPast(progressWatermarkExpression('c.final_time')),
});
