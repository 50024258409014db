import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { archivePartition } from '#app/event-partitions/archive-partition.js';
import { attachPartition, detachPartition } from '#app/event-partitions/detach-partition.js';
import { divide } from '#app/event-partitions/make-ready.js';
import { migrate, MIGRATIONS } from '#app/migrate.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { LOOK_FOR_ALL } from '#shared/platform/event-log/subscriber-runner.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { SEALING_LEASE, Seals } from '#shared/platform/seals/seals.js';
import { newId } from '#shared/kernel/ids.js';
import { executed, type Executed } from '../support/plans.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { quantile } from './measures.js';

/** The long form is `npm run evidence -- partitions`. */
const LONG = process.env['EVIDENCE'] === 'long';
const EVENTS = Number(process.env['EVENTS'] ?? (LONG ? 10_000_000 : 5_000));
const FILLED_AT_ONCE = 250_000;
/** More than are used while the log is divided. */
const TRANSACTIONS_LEFT = 300_000n;
const PARTITIONED = '1795730001000-partitioned-event-log.sql';

const ONE = `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT gen_random_uuid(), 'evidence', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
    platform.now() - interval '200 days', '{"amount": "1.50"}'`;
const FILL = `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT ('01800000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'evidence',
    ('01800000-0000-7000-8000-' || lpad((n / 4)::text, 12, '0'))::uuid, $3::uuid, $3::uuid,
    platform.now() - interval '200 days', '{"amount": "1.50"}'
  FROM generate_series($1::bigint, $2::bigint) n`;

let database: TestDatabase;
let folder: string;
let client: pg.Client;
let owner: DataSource;

beforeAll(async () => {
  database = await createTestDatabase('template0');
  folder = mkdtempSync(join(tmpdir(), 'partitions-'));
  for (const file of readdirSync(MIGRATIONS).filter((name) => name < PARTITIONED))
    copyFileSync(new URL(file, MIGRATIONS), join(folder, file));
  await migrate(database.url, [pathToFileURL(`${folder}/`)]);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const tenant = newId();
  for (let n = 0; n < EVENTS; n += FILLED_AT_ONCE)
    await client.query(FILL, [n + 1, Math.min(n + FILLED_AT_ONCE, EVENTS), tenant]);
  await client.query(`INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position)
    SELECT 'one', transaction_id, position FROM platform.events ORDER BY transaction_id DESC, position DESC LIMIT 1`);
  await client.query('VACUUM ANALYZE platform.events');
  owner = createDataSource({
    databaseUrl: database.url,
    poolSize: 4,
    timeouts: 'none',
    applicationName: 'evidence',
    onPoolError: () => undefined,
  });
  await owner.initialize();
}, 3_600_000);
afterAll(async () => {
  await owner.destroy();
  await client.end();
  await database.drop();
  rmSync(folder, { recursive: true });
}, 600_000);

/** Blocks of one look of all subscribers, of a look of a memory, and of an event that is appended; and its bytes of WAL. */
async function costs(): Promise<Record<string, number>> {
  await client.query(ONE);
  const look = await executed(client, LOOK_FOR_ALL, ['text[]'], [`'{one}'`]);
  const tail = await executed(
    client,
    `SELECT aggregate_id FROM platform.events WHERE transaction_id >= pg_snapshot_xmax($1::pg_snapshot)`,
    ['text'],
    [`pg_current_snapshot()::text`],
  );
  const appends: Executed[] = [];
  for (let n = 0; n < 50; n += 1)
    appends.push(await executed(client, `${ONE} WHERE $1`, ['boolean'], ['true']));
  return {
    'blocks of a look': look.blocks,
    'blocks of a look of a memory': tail.blocks,
    'blocks of an append': Math.min(...appends.map((each) => each.blocks)),
    // The least: some appends write a whole page after a checkpoint, or split one.
    'bytes of WAL of an append': Math.min(...appends.map((each) => each.walBytes)),
  };
}

/** @returns what `work` took, and the longest and the median wait of a writer and of a reader meanwhile, in milliseconds */
async function underLoad(work: () => Promise<unknown>): Promise<Record<string, number>> {
  let isOver = false;
  const waits: Record<string, number[]> = { append: [], look: [] };
  const loop = async (what: 'append' | 'look', text: string, values: unknown[]) => {
    const own = new pg.Client({ connectionString: database.url });
    await own.connect();
    while (!isOver) {
      const begun = performance.now();
      await own.query(text, values);
      waits[what]!.push(performance.now() - begun);
    }
    await own.end();
  };
  const loops = [loop('append', ONE, []), loop('look', LOOK_FOR_ALL, [['one']])];
  const begun = performance.now();
  await work();
  const took = performance.now() - begun;
  isOver = true;
  await Promise.all(loops);
  const shown = (of: number[]) => ({ longest: quantile(of, 1), median: quantile(of, 0.5) });
  const [append, look] = [shown(waits['append']!), shown(waits['look']!)];
  return {
    took: Math.round(took),
    appends: waits['append']!.length,
    'longest append': Math.round(append.longest),
    'longest look': Math.round(look.longest),
  };
}

const count = async () =>
  Number((await client.query('SELECT count(*) FROM platform.events')).rows[0].count as string);

describe('A filled event log', () => {
  it('becomes partitioned, is divided, archived, detached and attached while it is written and read', async () => {
    const before = await costs();
    let written = 0;
    const report: Record<string, unknown> = { events: EVENTS, 'costs before': before };
    const start = await count();
    const step = async (name: string, work: () => Promise<unknown>) => {
      const load = await underLoad(work);
      written += load['appends']!;
      report[name] = load;
    };
    await step('migrate', () => migrate(database.url, [MIGRATIONS]));
    // A small log was divided by the migration, and the rest is tested elsewhere.
    if (LONG) await throughAMonth(step);
    expect(await count()).toBe(start + written);
    const after = await costs();
    report['costs after'] = after;

    console.log(JSON.stringify(report, null, 2));
    expect(after['blocks of a look']).toBeLessThanOrEqual(before['blocks of a look']! + 8);
    expect(after['blocks of a look of a memory']).toBeLessThanOrEqual(
      before['blocks of a look of a memory']! + 8,
    );
    expect(after['blocks of an append']).toBeLessThanOrEqual(before['blocks of an append']! + 8);
    expect(after['bytes of WAL of an append']).toBeLessThanOrEqual(
      before['bytes of WAL of an append']! * 1.1,
    );
  }, 3_600_000);
});

/** Divides the log, lets the first partition pass, seals it, archives it, detaches it and attaches it again. */
async function throughAMonth(step: (name: string, work: () => Promise<unknown>) => Promise<void>) {
  const db = new Database(owner);
  const [{ next }] = await owner.query(`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next`);
  const end = BigInt(next) + TRANSACTIONS_LEFT;
  await step('divide', () => divide(owner, end));
  await client.query(
    `DO $$ BEGIN WHILE pg_current_xact_id() <= '${end}'::xid8 LOOP COMMIT; END LOOP; END $$`,
  );
  const leases = new Leases(db);
  const seals = new Seals(db, leases);
  await step('seal', async () => {
    const epoch = (await leases.acquire(SEALING_LEASE, newId()))!;
    for (let seal; (seal = await seals.sealNext(epoch)) !== null && seal.events > 1_000;)
      await owner.query(`UPDATE platform.leases SET expires_at = 'infinity'`);
  });
  await client.query(`UPDATE platform.subscriber_positions SET (transaction_id, position) =
    (SELECT transaction_id, position FROM platform.seals ORDER BY number DESC LIMIT 1)`);
  await step('archive', () => archivePartition(owner, 'events_from_0', folder));
  await step('detach', () => detachPartition(owner, 'events_from_0'));
  await step('attach', () => attachPartition(owner, join(folder, 'events_from_0.jsonl.gz')));
}
