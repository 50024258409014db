interface Waiting {
  /** The table, with its schema. It has `organization_id`. */
  readonly table: string;
  /** The column of its ids; default: `id`. */
  readonly id?: string;
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
 * organization with very many rows therefore delays no other, and with more organizations than the limit each has its turn. Costs
 * one index lookup for each organization that has rows waiting, however many these are. `BETWEEN` keeps PostgreSQL from reading an
 * index that does not begin with the organization, whatever statistics say.
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
 * Selects the oldest due ids, with their `turn`, unless few organizations share a full limit: then `idsInTurns`. For tables in
 * which many organizations have rows that wait, of which few are due: they are looked up only when others may crowd them out.
 * Requires an index in the order of the rows as well.
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
