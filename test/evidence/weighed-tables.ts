type Query = <Row extends object>(text: string) => Promise<Row[]>;

interface Table {
  readonly name: string;
  readonly rows: number;
  /** The bytes of the rows themselves, without page headers and versions that were replaced. */
  readonly rowBytes: number;
  /** The bytes of rows and of indexes, in whole pages of 8 KiB. */
  readonly pageBytes: number;
  readonly indexBytes: number;
}

/** The tables of a database, and how far its log was written. */
export interface Weighed {
  readonly walBytes: number;
  readonly tables: ReadonlyMap<string, Table>;
}

/** The sum of all partitions, where the table has some. */
function summed(size: string, table: string): string {
  return `COALESCE((SELECT sum(${size}(relid)) FROM pg_partition_tree('${table}')), ${size}('${table}'))::integer`;
}

/** @param without names of tables that do not count */
export async function weigh(query: Query, without: readonly string[]): Promise<Weighed> {
  const names = await query<{ name: string }>(
    `SELECT s.schemaname || '.' || s.relname AS name
     FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid AND NOT c.relispartition ORDER BY 1`,
  );
  const tables = await query<Table>(
    names
      .filter(({ name }) => !without.includes(name))
      .map(
        ({ name }) =>
          `SELECT '${name}' AS name, count(*)::integer AS rows, COALESCE(sum(pg_column_size(t)), 0)::integer AS "rowBytes",
             ${summed('pg_table_size', name)} AS "pageBytes", ${summed('pg_indexes_size', name)} AS "indexBytes"
           FROM ${name} t`,
      )
      .join(' UNION ALL '),
  );
  const [wal] = await query<{ bytes: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
  );
  return {
    walBytes: Number(wal!.bytes),
    tables: new Map(tables.map((table) => [table.name, table])),
  };
}

/** Growth of each table per thing, rounded to hundredths. Tables that did not grow are omitted. */
export function grown(
  before: Weighed,
  after: Weighed,
  what: Exclude<keyof Table, 'name'>,
  count: number,
): Record<string, number> {
  const of = ({ tables }: Weighed, name: string) => tables.get(name)![what];
  const differences = [...after.tables.keys()].map(
    (name) => [name, Math.round(((of(after, name) - of(before, name)) / count) * 100) / 100] as const,
  );
  return Object.fromEntries(differences.filter(([, difference]) => difference !== 0));
}
