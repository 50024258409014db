import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.js';
import { migrate, MIGRATIONS_FOLDER, pendingMigrations } from './migrate.js';

/** Folder with two sample migrations of a later release. */
const LATER_MIGRATIONS = new URL('../../test/fixtures/migrations/', import.meta.url);
const [LOCKS, VALIDATES] = ['sample1999900001000', 'sample_validated1999900002000'];
const BASELINE = readdirSync(MIGRATIONS_FOLDER).sort().map(nameOf);

let database: TestDatabase;
let client: pg.Client;

/** @param template default: a database of this release */
async function open(template?: string): Promise<void> {
  database = await createTestDatabase(template);
  client = await connected();
}
afterEach(async () => {
  await client.end();
  await database.drop();
});

async function connected(): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: database.url });
  await opened.connect();
  return opened;
}

function nameOf(file: string): string {
  const [, timestamp, words] = /^(\d+)-(.*)\.sql$/.exec(file)!;
  return `${words!.replaceAll('-', '_')}${timestamp}`;
}

const migrateToLater = () => migrate(database.url, [MIGRATIONS_FOLDER, LATER_MIGRATIONS]);

async function addPaymentRequest(): Promise<void> {
  await client.query(
    `INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
       unique_asset_id, currency, decimals, amount, token, created_at, expires_at, counts_until)
     SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'fixed', 'created', 'sandbox',
       'nsandbox_t0x', 'USDX', 6, 10, 'naspip;none', now(), now() + interval '8 minutes', now() + interval '9 minutes'`,
  );
}

async function unchecked(): Promise<string[]> {
  const { rows } = await client.query<{ conname: string }>(
    `SELECT conname FROM pg_constraint WHERE connamespace = 'payments'::regnamespace AND NOT convalidated ORDER BY 1`,
  );
  return rows.map(({ conname }) => conname);
}

async function hasNewColumn(): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'payments.payment_requests'::regclass AND attname = 'note'`,
  );
  return rowCount === 1;
}

describe('The migration of a database without this schema', () => {
  beforeEach(() => open('template0'));

  it('creates the schema in an empty database, and then has nothing to do', async () => {
    expect(await migrate(database.url)).toEqual(BASELINE);

    expect(await migrate(database.url)).toEqual([]);
    expect(await unchecked()).toEqual([]);
    // The migration creates the checkpoint of analytics, so that no partition is detached before analytics has counted
    // it.
    const { rows } = await client.query(
      `SELECT transaction_id FROM platform.subscriber_positions WHERE subscriber = 'figures'`,
    );
    expect(rows).toEqual([{ transaction_id: '0' }]);
  });

  it('rejects a database older than the baseline, explains what to do and changes nothing', async () => {
    await client.query(
      `CREATE TABLE schema_migrations (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL);
       INSERT INTO schema_migrations ("timestamp", name) VALUES (1763800001000, 'platform1763800001000')`,
    );

    const refused = /Nothing was changed\..*npm run reset.*needs an empty database/;
    await expect(migrate(database.url)).rejects.toThrow(refused);
    await expect(pendingMigrations(database.url)).rejects.toThrow(refused);

    const { rows } = await client.query(
      `SELECT (SELECT count(*) FROM schema_migrations)::integer AS recorded,
         (SELECT count(*) FROM pg_namespace WHERE nspname = 'identity')::integer AS schemas`,
    );
    expect(rows).toEqual([{ recorded: 1, schemas: 0 }]);
  });
});

describe('The migration of a database of this release', () => {
  beforeEach(() => open());

  it('migrates it to a later release and validates its rows', async () => {
    await addPaymentRequest();

    const applied = await migrateToLater();

    expect(applied).toEqual([LOCKS, VALIDATES]);
    expect(await unchecked()).toEqual([]);
    await expect(
      client.query(`UPDATE payments.payment_requests SET note = repeat('x', 201)`),
    ).rejects.toThrow('payment_requests_note_short');
    await client.query(`UPDATE payments.payment_requests SET status = 'refunded'`);
  });

  it('does nothing on the schema of a later release', async () => {
    await migrateToLater();

    expect(await migrate(database.url)).toEqual([]);
  });

  it('stops after three seconds behind a lock, changes nothing and can be repeated', async () => {
    await addPaymentRequest();
    const reader = await connected();
    await reader.query('BEGIN; LOCK TABLE payments.payment_requests IN ACCESS SHARE MODE');
    const began = performance.now();

    const first = await migrateToLater().catch((error: Error) => error);
    const took = performance.now() - began;
    const changed = await hasNewColumn();
    await reader.end();
    const again = await migrateToLater();

    expect(String(first)).toContain('lock timeout');
    expect([took > 2_900, changed]).toEqual([true, false]);
    expect(again).toEqual([LOCKS, VALIDATES]);
  });

  it('applies new constraints even if their validation is blocked by a writer', async () => {
    await addPaymentRequest();
    // Applies only the first of two migrations, as an interrupted run would.
    await applyOnlyFirst();
    const writer = await connected();
    await writer.query('BEGIN; LOCK TABLE payments.payment_requests IN ROW EXCLUSIVE MODE');

    const first = await migrateToLater().catch((error: Error) => error);
    const waiting = await unchecked();
    await writer.end();

    expect(String(first)).toContain('lock timeout');
    expect(waiting).toEqual(['payment_requests_note_short', 'payment_requests_status_check']);
    expect(await migrateToLater()).toEqual([VALIDATES]);
    expect(await unchecked()).toEqual([]);
  });
});

async function applyOnlyFirst(): Promise<void> {
  const file = readdirSync(LATER_MIGRATIONS).sort()[0]!;
  await client.query(readFileSync(new URL(file, LATER_MIGRATIONS), 'utf8'));
  await client.query(`INSERT INTO schema_migrations ("timestamp", name) VALUES ($1, $2)`, [
    file.split('-')[0],
    LOCKS,
  ]);
}
