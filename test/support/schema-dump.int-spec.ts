import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from './open-database.js';
import { schemaDump } from './schema-dump.js';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestDatabase();
});
afterEach(() => platform.close());

const dump = () => schemaDump((text) => platform.database.query<{ line: string }>(text));

describe('The schema', () => {
  it('has no constraint or index that does not hold for all rows', async () => {
    expect((await dump()).filter((line) => line.includes('NOT VALID'))).toEqual([]);
  });

  it('is divided as the contexts are', async () => {
    const lines = await dump();
    const schemas = lines.filter((line) => line.startsWith('schema ')).map((line) => line.split(' ')[1]!);

    const contexts = readdirSync('src/contexts').map((folder) => folder.replaceAll('-', '_'));

    expect(schemas).toContain('platform');
    expect(schemas.filter((schema) => schema !== 'platform' && !contexts.includes(schema))).toEqual([]);
  });

  it('lets nobody change, remove or truncate the rows of an append-only table', async () => {
    const triggers = (await dump()).filter((line) => line.startsWith('trigger '));
    const guarded = (suffix: string) =>
      triggers.filter((line) => line.includes(`${suffix} CREATE`)).map((line) => line.split('.')[1]);

    expect(guarded('_append_only').length).toBeGreaterThan(5);
    expect(guarded('_append_only')).toEqual(guarded('_never_truncated'));
  });

  it('distinguishes a change of any kind from none', async () => {
    const before = await dump();
    const changes = [
      'ALTER TABLE payments.transfers ALTER COLUMN currency DROP NOT NULL',
      'DROP INDEX payments.transfers_of_request',
      'ALTER TABLE payments.transfers DROP CONSTRAINT transfers_kind',
      'DROP TRIGGER events_append_only ON platform.events',
      `INSERT INTO networks.known_chains VALUES ('other', 1, '0x${'0'.repeat(64)}')`,
      'GRANT SELECT ON payments.transfers TO public',
    ];

    for (const change of changes) {
      await platform.database
        .run(async () => {
          await platform.database.write(change);
          expect([change, await dump()]).not.toEqual([change, before]);
          throw new Error('undone');
        })
        .catch((error: Error) => expect(error.message).toBe('undone'));
    }
    expect(await dump()).toEqual(before);
  });
});
