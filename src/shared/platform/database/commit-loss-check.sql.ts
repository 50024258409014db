export interface CommitLossCheckRow {
  readonly is_behind: boolean;
  readonly marked_at: Date | null;
  readonly newest_event: string | null;
  readonly open_loss: string | null;
  readonly own_loss: 'open' | 'recovered' | null;
}

/** Writes none on a server other than $5 and $6, if the last mark $2 is missing, or while a loss is open. */
const WRITE_MARK = `
WITH known AS MATERIALIZED (
  SELECT COALESCE((SELECT mark FROM platform.acknowledged_marks WHERE process = $1), 0) < $2::bigint AS is_behind,
    (SELECT reason FROM platform.losses WHERE recovered_at IS NULL ORDER BY found_at LIMIT 1) AS open_loss,
    (SELECT CASE WHEN recovered_at IS NULL THEN 'open' ELSE 'recovered' END FROM platform.losses WHERE id = $4) AS own_loss
), marked AS (
  INSERT INTO platform.acknowledged_marks (process, mark)
  SELECT $1, $3::bigint FROM known
  WHERE NOT is_behind AND open_loss IS NULL AND ($4::uuid IS NULL OR own_loss = 'recovered') AND %same_server
  ON CONFLICT (process) DO UPDATE SET mark = excluded.mark, at = excluded.at
  RETURNING at
)`;

const SAME_SERVER = `(SELECT system_identifier::text FROM pg_control_system()) = $5
    AND ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint = $6::bigint`;

const WATCH_COLUMNS = `is_behind, open_loss, own_loss, (SELECT at FROM marked) AS marked_at,
  (SELECT id FROM platform.events ORDER BY transaction_id DESC, position DESC LIMIT 1) AS newest_event FROM known`;

export function commitLossCheckQuery(values: readonly unknown[]): [string, unknown[], string] {
  const [, , , , systemIdentifier] = values;
  const same =
    systemIdentifier === 'unknown' ? `$5::text IS NOT NULL AND $6::bigint IS NOT NULL` : SAME_SERVER;
  return [WATCH_COLUMNS, [...values], WRITE_MARK.replace('%same_server', same)];
}

/** Stores a detected loss. */
export const INSERT_COMMIT_LOSS = `
INSERT INTO platform.losses (id, found_by, system_identifier, timeline, reason, missing, sent, recovered_at, recovered_by)
SELECT $1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, accepted.recovered_at, accepted.recovered_by
FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
  SELECT recovered_at, recovered_by FROM platform.losses
  WHERE system_identifier = $3 AND timeline = $4 AND recovered_at > $8::timestamptz
  ORDER BY recovered_at DESC LIMIT 1
) AS accepted ON true
ON CONFLICT (id) DO NOTHING`;

export const PRUNE_COMMIT_MARKS = `DELETE FROM platform.acknowledged_marks WHERE at < clock_timestamp() - interval '8 days'`;
