interface WaitingRows {
  /** Table name with schema. The table has a column `organization_id`. */
  readonly table: string;
  /** Id column of the table; default: `id`. */
  readonly id?: string;
  /**
   * SQL condition on the alias `t` for waiting rows. Needs an index on `organization_id` restricted by this condition.
   */
  readonly waits: string;
  /** Additional SQL condition on the alias `t` for rows that may be processed now; default: all waiting rows. */
  readonly isDue?: string;
  /** ORDER BY expression for the rows of one organization, by columns of the alias `t`. */
  readonly oldestFirst: string;
  /** Maximum number of rows, as an SQL parameter such as `$1`. */
  readonly limit: string;
}

/**
 * Returns SQL that selects waiting rows round robin: first the oldest row of each organization, then the second of
 * each, and so on. An organization with very many rows therefore does not delay the others. The column `turn` numbers
 * the rows of an organization. Costs one index lookup per organization with waiting rows. `BETWEEN` keeps PostgreSQL
 * from using an index that does not start with the organization, even if its statistics suggest it.
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
 * Returns SQL like `selectIdsRoundRobin` for tables in which many organizations have waiting rows but few of them are
 * due. Selects the oldest due rows, and round robin only if a few organizations would take all places. Also needs an
 * index in the order of the rows.
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
