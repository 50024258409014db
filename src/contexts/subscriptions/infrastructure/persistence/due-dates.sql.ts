import { ATTEMPT_DAYS } from '../../domain/charge.js';
import { MAX_LOADED_CHARGES, UNPAID_CHARGES_TO_REVOKE } from '../../domain/past-due-rule.js';

export const dueDateSql = (number: string): string =>
  `((s.first_due_at AT TIME ZONE 'UTC') + (${number}) * s."interval"::interval) AT TIME ZONE 'UTC'`;

/** Rows of `attempt` and `at`. Excludes attempts on or after the next due date. */
export const CHARGE_ATTEMPTS_SQL = `(SELECT t.attempt - 1 AS attempt, c.due_at + make_interval(hours => 24 * t.days) AS at
  FROM unnest(ARRAY[${ATTEMPT_DAYS.join(', ')}]) WITH ORDINALITY t (days, attempt)
  WHERE c.due_at + make_interval(hours => 24 * t.days) < c.closes_at)`;

export const HAS_REQUEST_IN_FLIGHT = `EXISTS (SELECT FROM subscriptions.charge_requests f
  WHERE f.charge_id = c.id AND f.status IN ('planned', 'open'))`;

/** The request of each scheduled attempt was open for its full payment window and none was paid. */
const ALL_ATTEMPTS_COUNTED = `c.counted_tries = (SELECT count(*) FROM ${CHARGE_ATTEMPTS_SQL} tries)`;

/** All columns of `c` are NULL if the subscription has no charge. */
export const JOIN_LAST_CHARGE = `LEFT JOIN LATERAL (SELECT * FROM subscriptions.charges l
  WHERE l.subscription_id = s.id ORDER BY l.number DESC LIMIT 1) c ON true`;

/** The charge after the unpaid charges may already be open. @param what additional condition on these charges */
export const hasUnpaidChargesInARowSql = (what: string): string => `EXISTS (SELECT FROM (
    SELECT count(*) FILTER (WHERE ${ALL_ATTEMPTS_COUNTED} AND ${what})
      OVER (ORDER BY c.number ROWS BETWEEN ${UNPAID_CHARGES_TO_REVOKE - 1} PRECEDING AND CURRENT ROW) AS unpaid
    FROM (SELECT * FROM subscriptions.charges l WHERE l.subscription_id = s.id
      ORDER BY l.number DESC LIMIT ${MAX_LOADED_CHARGES}) c) last
  WHERE unpaid = ${UNPAID_CHARGES_TO_REVOKE})`;
