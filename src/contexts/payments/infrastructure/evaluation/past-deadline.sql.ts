import { progressWatermarkExpression } from '#contexts/chain-watching/contract/reading-progress.js';
import { PAYMENT_CUTOFF_TIME, MINIMUM_PAYMENT } from '../requests/persistence/status-and-deadline.sql.js';

/**
 * `counts_until` uses the longest grace period of a request's networks, so a request may be found late but never
 * early.
 * @param awaited SQL condition on the request `r` by status: true if no other network must be read first
 */
function pastDeadlineSql(awaited: Record<'created' | 'processing', string>): string {
  return `
(SELECT id FROM payments.payment_requests r
 WHERE network = $1 AND status = 'processing' AND counts_until < $3 AND ${awaited.processing}
   AND NOT EXISTS (SELECT 1 FROM payments.parked_requests p WHERE p.payment_request_id = r.id)
   AND NOT EXISTS (SELECT 1 FROM payments.received_sums u
     LEFT JOIN payments.selections s ON s.payment_request_id = r.id AND s.unique_asset_id = u.unique_asset_id
     WHERE u.payment_request_id = r.id AND u.network = ANY($5)
       AND u.seen_amount > u.final_amount AND u.seen_amount >= ${MINIMUM_PAYMENT})
 ORDER BY counts_until LIMIT $4)
UNION ALL
(SELECT id FROM payments.payment_requests r
 WHERE network = $1 AND status = 'created' AND counts_until < $2 AND ${awaited.created}
   AND NOT EXISTS (SELECT 1 FROM payments.parked_requests p WHERE p.payment_request_id = r.id) ORDER BY counts_until LIMIT $4)
LIMIT $4`;
}

/** @param time SQL expression for the block timestamp up to which the network `c` was read */
function otherNetworksPastDeadlineSql(time: string): string {
  return `NOT EXISTS (
     SELECT 1 FROM payments.selections s JOIN payments.chain_cursors c ON c.network = s.network
     WHERE s.payment_request_id = r.id AND s.network <> $1 AND s.network = ANY($5)
       AND (${time} > ${PAYMENT_CUTOFF_TIME}) IS NOT TRUE)`;
}

export const REQUESTS_PAST_DEADLINE = pastDeadlineSql({ created: 'true', processing: 'true' });
/** Waits for all networks of a request, because any of them may have received a larger share of the amount. */
export const REQUESTS_PAST_DEADLINE_ON_EACH_OF_THEIR_NETWORKS = pastDeadlineSql({
  created: otherNetworksPastDeadlineSql(progressWatermarkExpression('c.head_time')),
  processing: otherNetworksPastDeadlineSql(progressWatermarkExpression('c.final_time')),
});
