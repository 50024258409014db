import type { TestService } from '../support/service.js';

/** Columns of fewer bytes are not shown. */
const SHOWN = 16;

/** @returns the columns of the newest row of a table and their bytes, the largest first */
export async function columnBytes(
  { query }: Pick<TestService, 'query'>,
  table: string,
): Promise<readonly { name: string; bytes: number }[]> {
  const columns = await query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped`,
  );
  const sizes = columns.map(({ name }) => `('${name}', pg_column_size(t."${name}"))`).join(', ');
  return query(
    `SELECT name, bytes FROM (SELECT * FROM ${table} ORDER BY ctid DESC LIMIT 1) t,
       LATERAL (VALUES ${sizes}) AS s (name, bytes) WHERE bytes >= ${SHOWN} ORDER BY bytes DESC, name`,
  );
}
