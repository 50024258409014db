import type { DataSource } from 'typeorm';

/** Only a sandbox moves the clock, and only the table owner creates partitions. */
const READ_ONLY_TABLES = ['platform.clock_offset', 'platform.event_partitions'];

/**
 * UPDATE and DELETE unless a trigger rejects them (bits 16 and 8 of `tgtype`). Never TRUNCATE, which bypasses row
 * triggers. Partitions are accessed through the parent table.
 */
const GRANT_STATEMENTS = `
SELECT format('REVOKE ALL ON %s FROM %I', name, $1::text) AS revoke,
  CASE WHEN NOT partition THEN format('GRANT %s ON %s TO %I', CASE WHEN kind = 'v' OR name = ANY ($2::text[]) THEN 'SELECT'
    ELSE concat_ws(', ', 'SELECT', 'INSERT', CASE WHEN NOT refused & 16 > 0 THEN 'UPDATE' END,
      CASE WHEN NOT refused & 8 > 0 THEN 'DELETE' END) END, name, $1::text) END AS "grant"
FROM (
  SELECT format('%I.%I', n.nspname, c.relname) AS name, c.relkind AS kind,
    -- One that is not attached yet, or no more, too.
    c.relispartition OR n.nspname = 'platform' AND c.relname LIKE 'events\\_from\\_%' AS partition,
    COALESCE((SELECT bit_or(t.tgtype::integer) FROM pg_trigger t
      WHERE t.tgrelid = c.oid AND t.tgfoid = 'platform.refuse_change'::regproc), 0) AS refused
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($3::text[]) AND c.relkind IN ('r', 'p', 'v')) relation
ORDER BY name`;

const SELECT_SCHEMAS = `SELECT nspname AS name FROM pg_namespace
  WHERE nspname NOT IN ('information_schema', 'public') AND nspname NOT LIKE 'pg\\_%' ORDER BY nspname`;

/** Grants exactly the needed privileges and revokes all others, in one transaction. */
export async function grantServiceRole(owner: DataSource, role: string): Promise<void> {
  await owner.transaction(async (manager) => {
    const schemas = ((await manager.query(SELECT_SCHEMAS)) as { name: string }[]).map(({ name }) => name);
    for (const schema of schemas)
      await manager.query(`GRANT USAGE ON SCHEMA ${quoteIdentifier(schema)} TO ${quoteIdentifier(role)}`);
    const grants = (await manager.query(GRANT_STATEMENTS, [role, READ_ONLY_TABLES, schemas])) as {
      revoke: string;
      grant: string | null;
    }[];
    for (const { revoke, grant } of grants) await manager.query(`${revoke}; ${grant ?? ''}`);
  });
}

/** Null if the role cannot bypass triggers and grants. Superusers count as owners. */
export async function explainExcessPrivileges(dataSource: DataSource): Promise<string | null> {
  const [row] = (await dataSource.query(
    `SELECT current_user AS role, count(*)::integer AS tables FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('information_schema', 'public')
       AND n.nspname NOT LIKE 'pg\\_%' AND pg_has_role(current_user, c.relowner, 'MEMBER')`,
  )) as { role: string; tables: number }[];
  if (row === undefined || row.tables === 0) return null;
  return (
    `The database role ${row.role} owns the service's tables, so whoever has its password can switch triggers off and ` +
    'rewrite the books. Let another role own them: see MIGRATION_DATABASE_URL in .env.example and docs/operating/runbook/maintenance.md.'
  );
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
