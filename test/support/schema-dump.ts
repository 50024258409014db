/** Runs one SQL text. */
export type RunSql = (text: string) => Promise<{ line: string }[]>;

/** Schemas that a migration made: neither PostgreSQL's own nor `public`, where the list of migrations stands. */
const OWN = `NOT LIKE 'pg\\_%' AND n.nspname NOT IN ('information_schema', 'public')`;

/**
 * Each query returns a column `line`: the kind of object, its qualified name, its definition as PostgreSQL spells it.
 * NOT NULL is part of a column, so that its constraint (PostgreSQL 18 names one) is left out.
 */
const QUERIES = [
  `SELECT concat_ws(' ', 'schema', n.nspname, n.nspacl) AS line FROM pg_namespace n WHERE n.nspname ${OWN}`,
  `SELECT concat_ws(' ', CASE c.relkind WHEN 'r' THEN 'table' WHEN 'S' THEN 'sequence' ELSE 'view' END,
     c.oid::regclass, c.reloptions, c.relacl, CASE c.relkind WHEN 'v' THEN pg_get_viewdef(c.oid) END) AS line
   FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname ${OWN} AND c.relkind IN ('r', 'v', 'S')`,
  `SELECT concat_ws(' ', 'column', c.oid::regclass || '.' || a.attname, format_type(a.atttypid, a.atttypmod),
     CASE WHEN a.attnotnull THEN 'NOT NULL' END, CASE a.attidentity WHEN 'a' THEN 'GENERATED ALWAYS AS IDENTITY' END,
     'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)) AS line
   FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE n.nspname ${OWN} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
  `SELECT concat_ws(' ', 'constraint', COALESCE(t.oid::regclass::text, format_type(k.contypid, NULL)) || '.' || k.conname,
     pg_get_constraintdef(k.oid), CASE WHEN NOT k.convalidated THEN 'NOT VALID' END) AS line
   FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace LEFT JOIN pg_class t ON t.oid = k.conrelid
   WHERE n.nspname ${OWN} AND k.contype NOT IN ('n', 't')`,
  `SELECT concat_ws(' ', 'index', i.indrelid::regclass || '.' || c.relname, pg_get_indexdef(c.oid),
     CASE WHEN NOT i.indisvalid THEN 'NOT VALID' END) AS line
   FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname ${OWN}`,
  `SELECT concat_ws(' ', 'trigger', t.tgrelid::regclass || '.' || t.tgname, pg_get_triggerdef(t.oid)) AS line
   FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname ${OWN} AND NOT t.tgisinternal`,
  `SELECT concat_ws(' ', 'function', p.oid::regprocedure, pg_get_functiondef(p.oid), p.proacl) AS line
   FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname ${OWN}`,
  `SELECT concat_ws(' ', 'domain', format_type(t.oid, NULL), format_type(t.typbasetype, t.typtypmod)) AS line
   FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE n.nspname ${OWN} AND t.typtype = 'd'`,
];

const TABLES = `SELECT c.oid::regclass::text AS line FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname ${OWN} AND c.relkind = 'r'`;

/**
 * The schema of a database as text, one object a line, sorted: two databases have the same schema if their dumps are
 * equal. The order of columns, which nothing may rely on, and spaces do not count. Rows that a migration put in count.
 */
export async function schemaDump(run: RunSql): Promise<string[]> {
  const lines = [];
  for (const query of QUERIES) lines.push(...(await run(query)));
  for (const { line: table } of await run(TABLES)) {
    lines.push(...(await run(`SELECT concat_ws(' ', 'row', '${table}', r.*::text) AS line FROM ${table} r`)));
  }
  return lines.map(({ line }) => line.replace(/\s+/g, ' ').trim()).sort();
}
