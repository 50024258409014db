interface WaitingRows {
  readonly table: string;
  readonly id?: string;
  /** SQL condition on the alias `t` for waiting rows. */
  readonly waits: string;
  readonly isDue?: string;
  readonly oldestFirst: string;
  readonly limit: string;
}

/**
 * Returns SQL that selects waiting rows round robin: first the oldest row of each organization, then the second of
 * each, and so on. An organization with very many rows therefore does not delay the others.
 */
export function selectIdsRoundRobin({
  table,
  id = 'id',
  waits,
  isDue = 'true',
  oldestFirst,
  limit,
}: WaitingRows): string {
  return `(WITH RECURSIVE organizations AS (
      SELECT (SELECT t.organization_id FROM ${table} t WHERE ${waits} ORDER BY t.organization_id LIMIT 1) AS id
      UNION ALL
      SELECT (SELECT t.organization_id FROM ${table} t WHERE ${waits} AND t.organization_id > o.id
        ORDER BY t.organization_id LIMIT 1) FROM organizations o WHERE o.id IS NOT NULL)
    SELECT t.${id} AS id, t.turn FROM organizations o CROSS JOIN LATERAL (
      SELECT t.*, row_number() OVER (ORDER BY t.organization_id, ${oldestFirst}) AS turn FROM ${table} t
      WHERE ${waits} AND ${isDue} AND t.organization_id BETWEEN o.id AND o.id
      ORDER BY t.organization_id, ${oldestFirst} LIMIT ${limit}) t
    ORDER BY t.turn, ${oldestFirst} LIMIT ${limit})`;
}

/**
 * Like `selectIdsRoundRobin`, for tables with few due rows among many waiting ones. Also needs an index in the order
 * of the rows.
 */
export function selectDueIdsRoundRobin(waiting: WaitingRows): string {
  const { table, id = 'id', waits, isDue = 'true', oldestFirst, limit } = waiting;
  const areCrowded = `(SELECT count(*) = ${limit} AND 4 * count(DISTINCT organization_id) < ${limit} FROM oldest)`;
  return `(WITH oldest AS MATERIALIZED (
      SELECT t.* FROM ${table} t WHERE ${waits} AND ${isDue} ORDER BY ${oldestFirst} LIMIT ${limit})
    SELECT t.${id} AS id, row_number() OVER (PARTITION BY t.organization_id ORDER BY ${oldestFirst}) AS turn
    FROM oldest t WHERE NOT ${areCrowded}
    UNION ALL SELECT id, turn FROM ${selectIdsRoundRobin(waiting)} each WHERE ${areCrowded})`;
}
