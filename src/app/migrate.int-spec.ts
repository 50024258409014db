import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { migrate } from './migrate.js';

const FOLDER = new URL('../../migrations/', import.meta.url);
/** The last migration before checkouts. */
const BEFORE_CHECKOUTS = '1763700006000-webhooks.sql';
const CHECKOUT = 'checkout1763700007000';
const CHECKED = 'checkout_checked1763700007500';
const FILES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql'))
  .sort();

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase('template0');
  client = await connected();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

async function connected(): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: database.url });
  await opened.connect();
  return opened;
}

function nameOf(file: string): { name: string; timestamp: string } {
  const [, timestamp, words] = /^(\d+)-(.*)\.sql$/.exec(file)!;
  return { name: `${words!.replaceAll('-', '_')}${timestamp}`, timestamp: timestamp! };
}

/** A database as an older release has left it, with one open request. */
async function standsAt(last: string): Promise<void> {
  await client.query(
    'CREATE TABLE schema_migrations (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL)',
  );
  for (const file of FILES.filter((each) => each <= last)) {
    const { name, timestamp } = nameOf(file);
    await client.query(readFileSync(new URL(file, FOLDER), 'utf8'));
    await client.query('INSERT INTO schema_migrations ("timestamp", name) VALUES ($1, $2)', [
      timestamp,
      name,
    ]);
  }
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

async function columnIsOptional(): Promise<boolean> {
  const { rows } = await client.query<{ optional: boolean }>(
    `SELECT NOT attnotnull AS optional FROM pg_attribute
     WHERE attrelid = 'payments.payment_requests'::regclass AND attname = 'network'`,
  );
  return rows[0]!.optional;
}

describe('Migrating', () => {
  it('brings an empty database to this release, and then has nothing to do', async () => {
    expect(await migrate(database.url)).toEqual(FILES.map((file) => nameOf(file).name));

    expect(await migrate(database.url)).toEqual([]);
    expect(await unchecked()).toEqual([]);
  });

  it('brings what the release before checkouts has left to this one, and checks what is there', async () => {
    await standsAt(BEFORE_CHECKOUTS);

    const applied = await migrate(database.url);

    expect(applied.slice(0, 2)).toEqual([CHECKOUT, CHECKED]);
    expect(await unchecked()).toEqual([]);
    await expect(client.query(`UPDATE payments.payment_requests SET status = 'pending'`)).rejects.toThrow(
      'payment_requests_pending_until_selected',
    );
    await expect(client.query(`UPDATE payments.payment_requests SET currency = NULL`)).rejects.toThrow(
      'payment_requests_selection_is_whole',
    );
  });

  it('gives up after three seconds behind whoever holds the table, changes nothing, and can be run again', async () => {
    await standsAt(BEFORE_CHECKOUTS);
    const reader = await connected();
    await reader.query('BEGIN; LOCK TABLE payments.payment_requests IN ACCESS SHARE MODE');
    const began = performance.now();

    const first = await migrate(database.url).catch((error: Error) => error);
    const took = performance.now() - began;
    const optional = await columnIsOptional();
    await reader.end();
    const again = await migrate(database.url);

    expect(String(first)).toContain('lock timeout');
    expect([took > 2_900, optional]).toEqual([true, false]);
    expect(again.slice(0, 2)).toEqual([CHECKOUT, CHECKED]);
  });

  it('keeps what locks from what reads all: the rules apply already when a writer holds up the rest', async () => {
    await standsAt(fileOf(CHECKOUT));
    const writer = await connected();
    await writer.query('BEGIN; LOCK TABLE payments.payment_requests IN ROW EXCLUSIVE MODE');

    const first = await migrate(database.url).catch((error: Error) => error);
    const waiting = await unchecked();
    await writer.end();

    expect(String(first)).toContain('lock timeout');
    expect(waiting).toEqual([
      'payment_requests_pending_until_selected',
      'payment_requests_selection_is_whole',
    ]);
    expect((await migrate(database.url))[0]).toBe(CHECKED);
    expect(await unchecked()).toEqual([]);
  });
});

/** The file of a migration. */
function fileOf(name: string): string {
  return FILES.find((file) => nameOf(file).name === name)!;
}
