import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { MIGRATIONS_FOLDER } from '#app/migrate.js';

/** Earlier ones alter small tables. */
const FROM = '1795820000000';
const ALTERED = /ALTER TABLE ([\w.]+)\b(?! VALIDATE)/g;
const INDEXED = /CREATE (?:UNIQUE )?INDEX \w+ ON ([\w.]+)/g;

const migrations = readdirSync(MIGRATIONS_FOLDER).filter((file) => file >= FROM);

describe('A migration', () => {
  it.each(migrations)('builds no index on a table that it also locks: %s', (file) => {
    const sql = readFileSync(new URL(file, MIGRATIONS_FOLDER), 'utf8');
    const tables = (pattern: RegExp) => [...sql.matchAll(pattern)].map(([, table]) => table!);
    const altered = new Set(tables(ALTERED));

    expect(tables(INDEXED).filter((table) => altered.has(table))).toEqual([]);
  });
});
