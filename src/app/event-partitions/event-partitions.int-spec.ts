import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { eventually } from '#test/support/eventually.js';
import { logSettled } from '#shared/platform/event-log/testing/log-settled.js';
import { newId } from '#shared/kernel/ids.js';
import { MADE_UP_EVENTS } from '#test/support/partial-worlds.js';
import { hashChainInvariants } from '#shared/platform/seals/hash-chain-invariants.js';
import { HASH_CHAIN_LEASE, EventHashChain } from '#shared/platform/seals/event-hash-chain.js';
import { verifyInvariants } from '../verify-invariants.js';
import { CommandArguments } from '../operator/command.js';
import { partitionCommands } from '../operator/maintenance/partition-commands.js';
import { archivePartition } from './archive-partition.js';
import { attachPartition, detachPartition } from './detach-partition.js';
import { divideOpenPartition, createNextPartition } from './make-ready.js';
import { listPartitions } from './partition.js';

let platform: TestPlatform;
let folder: string;
let seals: EventHashChain;
let epoch: bigint;
beforeEach(async () => {
  platform = await openTestDatabase();
  platform.makesUp([...MADE_UP_EVENTS, 'nothing-is-parked']);
  await mergeIntoOnePartition();
  folder = await mkdtemp(join(tmpdir(), 'partitions-'));
  seals = new EventHashChain(platform.database, platform.leases);
  epoch = (await platform.leases.acquire(HASH_CHAIN_LEASE, newId()))!;
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await platform.close();
});

const owner = () => platform.dataSource;
const sql = (text: string, values?: unknown[]) => owner().query(text, values);
const OLD_TIME = new Date(Date.now() - 200 * 86_400_000);

/** Puts the event log into one partition, as the migration leaves a log that is too large to divide. */
async function mergeIntoOnePartition(): Promise<void> {
  const last = (await listPartitions(sql)).at(-1)!;
  await sql(`
    ALTER TABLE platform.events DETACH PARTITION platform.${last.name};
    DROP TABLE platform.${last.name};
    DELETE FROM platform.event_partitions WHERE name = '${last.name}';
    UPDATE platform.event_partitions SET to_transaction = NULL;
    ALTER TABLE platform.events DETACH PARTITION platform.events_from_0;
    ALTER TABLE platform.events_from_0 DROP CONSTRAINT events_from_0_bounds;
    ALTER TABLE platform.events ATTACH PARTITION platform.events_from_0 FOR VALUES FROM (MINVALUE) TO (MAXVALUE);`);
}

async function appendEvents(count: number, occurredAt = OLD_TIME): Promise<void> {
  const event = () => ({
    type: 'something.happened',
    aggregateId: newId(),
    organizationId: newId(),
    accountId: newId(),
    occurredAt,
    data: { amount: '1.50', note: 'naïve ✓\n"' },
  });
  await platform.database.run(() => platform.eventLog.append(Array.from({ length: count }, event) as never));
}

async function nextTransaction(): Promise<bigint> {
  const [{ next }] = await sql(`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next`);
  return BigInt(next);
}

/** Gives the last partition a bound 50 transactions ahead, and uses up transaction ids until they reach it. */
async function useUpOpenPartition(): Promise<void> {
  const end = (await nextTransaction()) + 50n;
  await divideOpenPartition(owner(), end);
  while ((await nextTransaction()) <= end) await sql('SELECT pg_current_xact_id()');
  // Waits for transactions of other tests on the same database server.
  const isOver = () => sql(`SELECT WHERE pg_snapshot_xmin(pg_current_snapshot()) >= '${end}'::xid8`);
  await eventually(async () => (await isOver()).length === 1);
}

async function sealAll(): Promise<void> {
  await logSettled(platform.database);
  while ((await seals.appendLink(epoch, 3)) !== null);
}

const rowsByPartition = () =>
  sql(
    `SELECT tableoid::regclass::text AS name, count(*)::int FROM platform.events GROUP BY 1 ORDER BY min(transaction_id)`,
  );

describe('The partitioned event log', () => {
  it('continues in the next partition, and ends a seal at the end of a partition', async () => {
    await appendEvents(4);
    await useUpOpenPartition();
    await appendEvents(2);
    await sealAll();

    const [first, second] = await listPartitions(sql);
    expect(await rowsByPartition()).toEqual([
      { name: `platform.${first!.name}`, count: 4 },
      { name: `platform.${second!.name}`, count: 2 },
    ]);
    const [{ positions, rising }] = await sql(
      `SELECT count(DISTINCT position)::int AS positions, array_agg(position ORDER BY transaction_id)
         = array_agg(position ORDER BY position) AS rising FROM platform.events`,
    );
    expect([positions, rising]).toEqual([6, true]);
    expect(await sql('SELECT events FROM platform.seals WHERE number > 0 ORDER BY number')).toEqual([
      { events: 3 },
      { events: 1 },
      { events: 2 },
    ]);
  });

  it('rejects changes and duplicate positions in each partition', async () => {
    await appendEvents(1);
    await useUpOpenPartition();
    await appendEvents(1);

    for (const { name } of await listPartitions(sql))
      for (const attempt of [
        `UPDATE platform.${name} SET type = ''`,
        `DELETE FROM platform.${name}`,
        `TRUNCATE platform.${name}`,
      ])
        if (attempt.startsWith('TRUNCATE') || (await sql(`SELECT FROM platform.${name}`)).length > 0)
          await expect(sql(attempt)).rejects.toThrow('append-only');
    await expect(
      sql(`INSERT INTO platform.events OVERRIDING SYSTEM VALUE
        SELECT gen_random_uuid(), transaction_id, position, type, aggregate_id, organization_id, account_id, occurred_at, data
        FROM platform.events`),
    ).rejects.toThrow('duplicate key');
  });

  it('creates the next partition only when needed, and repairs one left half-made', async () => {
    await useUpOpenPartition();
    const open = (await listPartitions(sql)).at(-1)!;
    await appendEvents(1);
    await sql(
      `ALTER TABLE platform.${open.name} ADD CONSTRAINT ${open.name}_bounds CHECK (transaction_id >= '1'::xid8) NOT VALID`,
    );

    const made = await createNextPartition(owner());

    expect((await listPartitions(sql)).at(-1)).toMatchObject({ name: made, to: null });
    expect(BigInt((await listPartitions(sql)).at(-1)!.from)).toBeGreaterThan(await nextTransaction());
    await sql(
      `ALTER TABLE platform.${made} ADD CONSTRAINT ${made}_bounds CHECK (transaction_id < '9'::xid8) NOT VALID`,
    );
    expect(await createNextPartition(owner())).toBeNull();
    expect(await sql(`SELECT FROM pg_constraint WHERE conname = $1`, [`${made}_bounds`])).toEqual([]);
  });
});

describe('The command "partitions list"', () => {
  it('reads the log as the owner of the schema', async () => {
    const list = partitionCommands.find(({ words }) => words === 'partitions list')!;
    const service = { DATABASE_URL: 'postgres://service@127.0.0.1:1/none' };

    const { data } = await list.runAlone(new CommandArguments(new Map()), {
      ...service,
      MIGRATION_DATABASE_URL: platform.url,
    });

    expect(data).toMatchObject({ partitions: [{ name: 'events_from_0', state: 'in use' }] });
  });
});

describe('The archive of a partition', () => {
  it('restores the dropped partition unchanged', async () => {
    await appendEvents(7);
    await useUpOpenPartition();
    await appendEvents(2);
    await sealAll();
    const { name } = (await listPartitions(sql))[0]!;
    const before = await sql('SELECT * FROM platform.events ORDER BY transaction_id, position');

    const { file, events } = await archivePartition(owner(), name, folder);
    await detachPartition(owner(), name);
    const without = await rowsByPartition();
    const verdicts = await verifyInvariants(hashChainInvariants, sql);
    await attachPartition(owner(), file);

    expect(events).toBe(7);
    expect(without).toHaveLength(1);
    expect(verdicts.flatMap(({ breaches }) => breaches)).toEqual([]);
    expect(await sql('SELECT * FROM platform.events ORDER BY transaction_id, position')).toEqual(before);
    expect((await verifyInvariants(hashChainInvariants, sql)).flatMap(({ breaches }) => breaches)).toEqual(
      [],
    );
    await expect(sql(`DELETE FROM platform.${name}`)).rejects.toThrow('append-only');
  });

  it('keeps the partition if the archive has an event changed or its end cut off', async () => {
    await appendEvents(4);
    await useUpOpenPartition();
    await sealAll();
    const { name } = (await listPartitions(sql))[0]!;
    const { file } = await archivePartition(owner(), name, folder);
    const archived = gunzipSync(await readFile(file)).toString();

    for (const [changed, reason] of [
      [archived.replace('1.50', '9.50'), 'does not match the hash chain'],
      [archived.slice(0, -9), 'cut off'],
    ] as const) {
      await writeFile(file, gzipSync(changed));
      await expect(detachPartition(owner(), name)).rejects.toThrow(reason);
    }
    expect(await rowsByPartition()).toEqual([{ name: `platform.${name}`, count: 4 }]);
  });

  it('is refused while the partition is needed', async () => {
    const refusal = async () => {
      const { name } = (await listPartitions(sql))[0]!;
      return archivePartition(owner(), name, folder).catch((error: Error) => error.message);
    };
    await appendEvents(1, new Date());
    expect(await refusal()).toContain('is still in use');

    await useUpOpenPartition();
    expect(await refusal()).toContain('has events of the last 90 days');

    await platform.advance(91 * 86_400);
    expect(await refusal()).toContain('events that are not in the hash chain yet');

    await sealAll();
    await sql(
      `INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position) VALUES ('slow', '0', 0)`,
    );
    expect(await refusal()).toContain('a subscriber has not read all its events');

    await sql('DELETE FROM platform.subscriber_positions');
    await sql(`INSERT INTO platform.parked_events (subscriber, event_id, aggregate_id, reason)
      SELECT 'slow', id, aggregate_id, '' FROM platform.events`);
    expect(await refusal()).toContain('it has a dead-lettered event');
  });
});
