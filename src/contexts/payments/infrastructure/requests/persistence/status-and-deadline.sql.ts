import { selectDueIdsRoundRobin } from '#shared/platform/database/in-turns.sql.js';
import {
  ENDED_STATUSES,
  OPEN_STATUSES,
  OUTCOME_STATUSES,
  PAID_STATUSES,
  UNPAID_ENDED_STATUSES,
  PAYMENT_UNSEEN_STATUSES,
  WATCHED_STATUSES,
  type HistoryStatus,
} from '#contexts/payments/domain/requests/status.js';

export const ENDED_STATUSES_SQL = sqlList(ENDED_STATUSES);
export const OUTCOME_STATUSES_SQL = sqlList(OUTCOME_STATUSES);
export const UNPAID_ENDED_STATUSES_SQL = sqlList(UNPAID_ENDED_STATUSES);
export const PAYMENT_UNSEEN_STATUSES_SQL = sqlList(PAYMENT_UNSEEN_STATUSES);
export const WATCHED_STATUSES_SQL = sqlList(WATCHED_STATUSES);
export const OPEN_STATUSES_SQL = sqlList(OPEN_STATUSES);

/** `isFulfilled` of the domain, or accepted by the merchant. */
export const IS_FULFILLED = `(r.status IN ${sqlList(PAID_STATUSES)} OR r.underpayment_accepted OR r.accepted_by_merchant_at IS NOT NULL)`;

/** `paymentCutoffTime` of the domain. */
export const PAYMENT_CUTOFF_TIME = '(r.expires_at + make_interval(secs => s.inclusion_grace_seconds))';

/** `receivedTime` of the domain. */
export const RECEIVED_TIME = 'COALESCE(t.arrived_at, t.block_time)';

/** True even before transfers outside the outcome stop counting. */
export const IS_PART_OF_OUTCOME = `(t.counted AND t.unique_asset_id = r.unique_asset_id AND r.status NOT IN ${UNPAID_ENDED_STATUSES_SQL}
  AND (r.outcome_block IS NULL OR COALESCE(t.block_number <= r.outcome_block, false)))`;

/** The received amount is zero while the sum is below the asset's minimum (`isPayment`). */
export const IS_RECEIVED = `(${IS_PART_OF_OUTCOME} AND r.received_amount > 0)`;

/** `countsAsPayment` of the domain. */
export const MINIMUM_PAYMENT = `LEAST(COALESCE(s.minimum_amount, r.minimum_amount, 1), COALESCE(s.amount, r.amount))`;

function sqlList(statuses: readonly HistoryStatus[]): string {
  return `(${statuses.map((status) => `'${status}'`).join(', ')})`;
}

/** Alternates between organizations. */
export const EXPIRED_WITHOUT_ASSET = `SELECT id FROM ${selectDueIdsRoundRobin({
  table: 'payments.payment_requests',
  waits: `t.status = 'pending'`,
  isDue: 't.expires_at < $1',
  oldestFirst: 't.expires_at',
  limit: '$2',
})} taken`;
