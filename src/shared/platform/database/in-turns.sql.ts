interface Waiting {
  /** Table with schema. Has a column `organization_id`. */
  readonly table: string;
  /** Id column; default: `id`. */
  readonly id?: string;
  /** Condition on `t` for waiting rows. Needs an index on it and `organization_id`. */
  readonly waits: string;
  /** Condition on `t` for waiting rows that may be taken now; default: all. */
  readonly isDue?: string;
  /** Order of an organization's rows, by columns of `t`. */
  readonly oldestFirst: string;
  /** Maximum number of rows: a parameter. */
  readonly limit: string;
}

/**
 * Selects ids round robin with their `turn`: first the oldest row of each organization, then the second of each, and so on;
 * within a turn, oldest first. An organization with very many rows therefore delays no other, and every organization is
 * served even if there are more than the limit. Costs one index lookup per organization with waiting rows. `BETWEEN` keeps
 * PostgreSQL from using an index that does not start with the organization, whatever the statistics say.
 */
export function idsInTurns({ table, id = 'id', waits, isDue = 'true', oldestFirst, limit }: Waiting): string {
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
 * Selects the oldest due ids with their `turn`. Uses `idsInTurns` only if few organizations fill the limit and may crowd
 * out others. For tables in which many organizations have waiting rows but few are due. Also needs an index in the order of
 * the rows.
 */
export function dueIdsInTurns(waiting: Waiting): string {
  const { table, id = 'id', waits, isDue = 'true', oldestFirst, limit } = waiting;
  const areCrowded = `(SELECT count(*) = ${limit} AND 4 * count(DISTINCT organization_id) < ${limit} FROM oldest)`;
  return `(WITH oldest AS MATERIALIZED (
      SELECT t.* FROM ${table} t WHERE ${waits} AND ${isDue} ORDER BY ${oldestFirst} LIMIT ${limit})
    SELECT t.${id} AS id, row_number() OVER (PARTITION BY t.organization_id ORDER BY ${oldestFirst}) AS turn
    FROM oldest t WHERE NOT ${areCrowded}
    UNION ALL SELECT id, turn FROM ${idsInTurns(waiting)} each WHERE ${areCrowded})`;
}
