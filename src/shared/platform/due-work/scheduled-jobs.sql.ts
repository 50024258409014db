/** Real time after which a claim expires. */
const CLAIM_SECONDS = 7;
export const MAX_LANES_PER_JOB_CLAIM = 256;
/** Number of most recently due jobs that one statement checks. */
const NEWEST_JOBS = 256;

export const CLAIM_NEWEST_JOBS = `WITH newest AS MATERIALIZED (
    SELECT key, row_number() OVER (PARTITION BY lane ORDER BY due_at) AS turn,
      COALESCE(($5::int[])[array_position($4::uuid[], lane)], $6) AS room
    FROM (
      SELECT key, lane, due_at FROM platform.due_work
      WHERE kind = $1 AND due_at <= (SELECT platform.now())
        AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
      ORDER BY due_at DESC LIMIT ${NEWEST_JOBS}) AS looked_at
  ), due AS MATERIALIZED (
    SELECT w.key FROM platform.due_work w JOIN newest USING (key)
    WHERE w.kind = $1 AND newest.turn <= newest.room
      AND (w.claimed_until IS NULL OR w.claimed_until < clock_timestamp())
    LIMIT $3 FOR UPDATE OF w SKIP LOCKED
  )
  UPDATE platform.due_work w
  SET claim = $2, claimed_until = clock_timestamp() + interval '${CLAIM_SECONDS} seconds'
  WHERE w.kind = $1 AND w.key = ANY(ARRAY(SELECT key FROM due))
  RETURNING w.key, w.lane, w.attempt`;

/**
 * Claims jobs lane by lane. Finds each next lane by one index lookup, so the jobs waiting in a lane are never
 * scanned.
 */
export const CLAIM_JOBS_BY_LANE = `WITH RECURSIVE this_moment AS MATERIALIZED (SELECT platform.now() AS now),
  walk AS (
    (SELECT lane, due_at, 1 AS step FROM platform.due_work
     WHERE kind = $1 AND lane > $6 AND lane <= $7
       AND (SELECT due_at FROM platform.due_work WHERE kind = $1 ORDER BY due_at LIMIT 1) <= (SELECT now FROM this_moment)
     ORDER BY lane, due_at LIMIT 1)
    UNION ALL
    SELECT next.lane, next.due_at, walk.step + 1 FROM walk CROSS JOIN LATERAL (
      SELECT lane, due_at FROM platform.due_work
      WHERE kind = $1 AND lane > walk.lane AND lane <= $7 ORDER BY lane, due_at LIMIT 1) next
    WHERE walk.step < ${MAX_LANES_PER_JOB_CLAIM}
  ),
  due AS MATERIALIZED (
    SELECT taken.key FROM walk CROSS JOIN LATERAL (
      SELECT key FROM platform.due_work
      WHERE kind = $1 AND lane >= walk.lane AND (lane, due_at) <= (walk.lane, (SELECT now FROM this_moment))
        AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
      ORDER BY lane, due_at LIMIT COALESCE(($5::int[])[array_position($4::uuid[], walk.lane)], $8)
      FOR UPDATE SKIP LOCKED) taken
    WHERE walk.due_at <= (SELECT now FROM this_moment)
    LIMIT $3
  ),
  claimed AS (
    UPDATE platform.due_work w
    SET claim = $2, claimed_until = clock_timestamp() + interval '${CLAIM_SECONDS} seconds'
    WHERE w.kind = $1 AND w.key = ANY(ARRAY(SELECT key FROM due))
    RETURNING w.key, w.lane, w.attempt
  )
  SELECT claimed.*, walked.lane AS end, walked.step AS steps
  FROM (SELECT lane, step FROM walk ORDER BY step DESC LIMIT 1) walked LEFT JOIN claimed ON true
  ORDER BY claimed.lane`;

const withdrawJobsSql = (lock: string) =>
  // Computed after the row is locked, not at the start of the statement, because a claim may have ended in between.
  `WITH found AS MATERIALIZED (
     SELECT key, lane, attempt, claimed_until IS NULL OR claimed_until < clock_timestamp() AS free
     FROM platform.due_work WHERE kind = $1 AND lane = $2 AND key = ANY($3::uuid[])
     ORDER BY key ${lock}
   ), withdrawn AS (
     DELETE FROM platform.due_work w USING found WHERE w.kind = $1 AND w.key = found.key AND found.free
   )
   SELECT key, lane, attempt, free FROM found`;
export const CANCEL_JOBS = withdrawJobsSql('FOR UPDATE');
export const CANCEL_UNLOCKED_JOBS = withdrawJobsSql('FOR UPDATE SKIP LOCKED');
