import { selectDueIdsRoundRobin } from '#shared/platform/database/in-turns.sql.js';
import {
  ENDED_STATUSES,
  OPEN_STATUSES,
  OUTCOME_STATUSES,
  PAID_STATUSES,
  UNPAID_ENDED_STATUSES,
  UNSEEN_STATUSES,
  WATCHED_STATUSES,
  type HistoryStatus,
} from '#contexts/payments/domain/requests/status.js';

/** Status lists of the domain for SQL's `IN`. */
export const ENDED = listed(ENDED_STATUSES);
export const OUTCOMES = listed(OUTCOME_STATUSES);
export const UNPAID_ENDED = listed(UNPAID_ENDED_STATUSES);
export const UNSEEN = listed(UNSEEN_STATUSES);
export const WATCHED = listed(WATCHED_STATUSES);
export const OPEN = listed(OPEN_STATUSES);

/** `isFulfilled` of the domain, for the request `r`. */
export const IS_FULFILLED = `(r.status IN ${listed(PAID_STATUSES)} OR r.underpayment_accepted)`;

/** Last block timestamp that counts for the selection `s` of the request `r`: `lastCounting` of the domain. */
export const LAST_COUNTING = '(r.expires_at + make_interval(secs => s.inclusion_grace_seconds))';

/** Time that decides whether the transfer `t` was in time: `arrivalTime` of the domain. */
export const ARRIVAL_TIME = 'COALESCE(t.arrived_at, t.block_time)';

/**
 * True if the counted transfer `t` is in the selected asset of its request `r` and part of the outcome. Independent of the iterations
 * in which other counted transfers stop counting after the request has ended.
 */
export const COUNTS_AS_SHOWN = `(t.counted AND t.unique_asset_id = r.unique_asset_id AND r.status NOT IN ${UNPAID_ENDED}
  AND (r.outcome_block IS NULL OR COALESCE(t.block_number <= r.outcome_block, false)))`;

/** True if the transfer is also part of the received amount, which is zero while the sum is below the asset's minimum (`isPayment`). */
export const IS_RECEIVED = `(${COUNTS_AS_SHOWN} AND r.received_amount > 0)`;

/** Least sum that is a payment to the request `r` in the asset of its selection `s`, if it has one: `isPayment` of the domain. */
export const LEAST_PAYMENT = `LEAST(COALESCE(s.minimum_amount, r.minimum_amount, 1), COALESCE(s.amount, r.amount))`;

function listed(statuses: readonly HistoryStatus[]): string {
  return `(${statuses.map((status) => `'${status}'`).join(', ')})`;
}

/** At most $2 requests without a selected asset that expired before $1. */
export const DUE_UNSELECTED = `SELECT id FROM ${selectDueIdsRoundRobin({
  table: 'payments.payment_requests',
  waits: `t.status = 'pending'`,
  isDue: 't.expires_at < $1',
  oldestFirst: 't.expires_at',
  limit: '$2',
})} taken`;
