import { TRY_DAYS } from '../../domain/charge.js';
import { KNOWN_CHARGES, UNPAID_CHARGES_TO_REVOKE } from '../../domain/past-due-rule.js';

/** Due date `number` of the subscription `s`, by PostgreSQL's own arithmetic of months. @param number an SQL expression */
export const dueDateOf = (number: string): string =>
  `((s.first_due_at AT TIME ZONE 'UTC') + (${number}) * s."interval"::interval) AT TIME ZONE 'UTC'`;

/** Tries of the charge `c`, as rows of `attempt` and `at`; those on or after the next due date fall away. */
export const TRIES = `(SELECT t.attempt - 1 AS attempt, c.due_at + make_interval(hours => 24 * t.days) AS at
  FROM unnest(ARRAY[${TRY_DAYS.join(', ')}]) WITH ORDINALITY t (days, attempt)
  WHERE c.due_at + make_interval(hours => 24 * t.days) < c.closes_at)`;

/** True where a request of the charge `c` is open or about to be. */
export const IN_FLIGHT = `EXISTS (SELECT FROM subscriptions.charge_requests f
  WHERE f.charge_id = c.id AND f.status IN ('planned', 'open'))`;

/** True where each try of the charge `c` stood open for its whole window, and none was paid. */
const ALL_TRIES_COUNTED = `c.counted_tries = (SELECT count(*) FROM ${TRIES} tries)`;

/** The last charge of the subscription `s`: columns of `c`, none where there is none. */
export const LAST_CHARGE = `LEFT JOIN LATERAL (SELECT * FROM subscriptions.charges l
  WHERE l.subscription_id = s.id ORDER BY l.number DESC LIMIT 1) c ON true`;

/**
 * True where enough of the last charges of `s` in a row to revoke it were unpaid through all their tries; the one after
 * them may be open already. @param what else must be so of each, an SQL condition
 */
export const unpaidInARow = (what: string): string => `EXISTS (SELECT FROM (
    SELECT count(*) FILTER (WHERE ${ALL_TRIES_COUNTED} AND ${what})
      OVER (ORDER BY c.number ROWS BETWEEN ${UNPAID_CHARGES_TO_REVOKE - 1} PRECEDING AND CURRENT ROW) AS unpaid
    FROM (SELECT * FROM subscriptions.charges l WHERE l.subscription_id = s.id
      ORDER BY l.number DESC LIMIT ${KNOWN_CHARGES}) c) last
  WHERE unpaid = ${UNPAID_CHARGES_TO_REVOKE})`;
