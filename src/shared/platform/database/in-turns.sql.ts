interface Waiting {
  /** The table, with its schema. It has `id` and `organization_id`. */
  readonly table: string;
  /** The rows that wait, as a condition on `t`. An index on it and `organization_id` keeps the walk short. */
  readonly waits: string;
  /** The rows among them that may be taken now, as a condition on `t`; all where it is absent. */
  readonly isDue?: string;
  /** The order of an organization's rows, by columns of `t`. */
  readonly oldestFirst: string;
  /** The most rows: a parameter. */
  readonly limit: string;
}

/**
 * Selects ids with their `turn`: the oldest row of each organization, then the next of each, the oldest first in each turn. An
 * organization with very many rows therefore delays no other, and with more organizations than the limit each has its turn. Costs one index lookup for each organization that has rows waiting, however many these are.
 */
export function idsInTurns({ table, waits, isDue = 'true', oldestFirst, limit }: Waiting): string {
  return `(WITH RECURSIVE organizations AS (
      SELECT (SELECT t.organization_id FROM ${table} t WHERE ${waits} ORDER BY t.organization_id LIMIT 1) AS id
      UNION ALL
      SELECT (SELECT t.organization_id FROM ${table} t WHERE ${waits} AND t.organization_id > o.id
        ORDER BY t.organization_id LIMIT 1) FROM organizations o WHERE o.id IS NOT NULL)
    SELECT t.id, t.turn FROM organizations o CROSS JOIN LATERAL (
      SELECT t.*, row_number() OVER (ORDER BY ${oldestFirst}) AS turn FROM ${table} t
      WHERE ${waits} AND ${isDue} AND t.organization_id = o.id ORDER BY ${oldestFirst} LIMIT ${limit}) t
    ORDER BY t.turn, ${oldestFirst} LIMIT ${limit})`;
}
