import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from './open-database.js';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestDatabase();
});
afterEach(() => platform.close());

const names = async (text: string) =>
  (await platform.database.query<{ name: string }>(text)).map(({ name }) => name);

describe('The schema', () => {
  it('has only constraints and indexes that hold for all rows', async () => {
    const invalid = await names(
      `SELECT conname AS name FROM pg_constraint WHERE NOT convalidated
       UNION ALL SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid`,
    );

    expect(invalid).toEqual([]);
  });

  /** A schema keeps the name under which its context was created. */
  const FORMER_NAMES = ['figures', 'notices'];

  it('has a schema for the platform, and others only for contexts', async () => {
    const schemas = await names(
      `SELECT nspname AS name FROM pg_namespace
       WHERE nspname NOT LIKE 'pg\\_%' AND nspname NOT IN ('information_schema', 'public')`,
    );
    const contexts = readdirSync('src/contexts').map((folder) => folder.replaceAll('-', '_'));

    expect(schemas).toContain('platform');
    expect(schemas.filter((schema) => ![...contexts, ...FORMER_NAMES, 'platform'].includes(schema))).toEqual(
      [],
    );
  });

  it('protects the rows of append-only tables from change, removal and truncation', async () => {
    const guarded = (suffix: string) =>
      names(
        `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
         WHERE NOT tgisinternal AND tgname LIKE '%\\_${suffix}' ORDER BY 1`,
      );
    const tables = await guarded('append_only');

    expect(tables.length).toBeGreaterThan(5);
    expect(await guarded('never_truncated')).toEqual(tables);
  });
});
