/**
 * True where the log holds an event behind the position `p` that can be read: a transaction that still runs may append
 * before those that are later. A value in place of EXISTS, which would drop the order: expecting many such events,
 * PostgreSQL would look for the first of them from the beginning of the log.
 */
export const IS_BEHIND = `(SELECT true FROM platform.events e
  WHERE (e.transaction_id, e.position) > (p.transaction_id, p.position)
    AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
  ORDER BY e.transaction_id, e.position LIMIT 1) IS NOT NULL`;

/** Looks for work of the subscriber $1. */
export const LOOK_FOR_ONE = `
SELECT COALESCE((SELECT ${IS_BEHIND} FROM platform.subscriber_positions p WHERE p.subscriber = $1), false) AS unread,
  EXISTS (SELECT 1 FROM platform.parked_events WHERE subscriber = $1 AND retry) AS retry`;

/** Looks for those of the subscribers $1 that have work. */
export const LOOK_FOR_ALL = `
SELECT p.subscriber AS name FROM platform.subscriber_positions p
WHERE p.subscriber = ANY($1)
  AND (${IS_BEHIND} OR EXISTS (SELECT 1 FROM platform.parked_events k WHERE k.subscriber = p.subscriber AND k.retry))`;
