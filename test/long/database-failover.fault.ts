import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { migrate } from '#app/migrate.js';
import { newId } from '#shared/kernel/ids.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { isTransientDatabaseError, WritesStoppedError } from '#shared/platform/database/transient-error.js';
import { IdempotencyKeys } from '#shared/platform/idempotency/idempotency-keys.js';
import type { IdempotencyKeyUse } from '#shared/kernel/idempotent-creation.js';
import { CommitLossDetector } from '#shared/platform/database/commit-loss-detector.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { EventTail } from '#shared/platform/event-log/event-tail.js';
import { LeaseLost, Leases } from '#shared/platform/leases/leases.js';
import { DatabasePair } from '../support/database-pair.js';
import { eventually } from '#test/support/eventually.js';

interface ServiceProcess {
  readonly dataSource: DataSource;
  readonly database: Database;
  readonly watch: CommitLossDetector;
}

Logger.overrideLogger(false);
const folder = mkdtempSync(join(tmpdir(), 'database-failover-'));
let pair: DatabasePair;
let processes: ServiceProcess[] = [];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a process without its loops: the test calls its checks. */
async function startProcess(url = pair.url([1, 0]), stateDirectory?: string): Promise<ServiceProcess> {
  const options = { poolSize: 3, applicationName: 'test', onPoolError: () => undefined };
  const dataSource = await createDataSource({ databaseUrl: url, ...options }).initialize();
  const watch = new CommitLossDetector(dataSource, { role: 'worker', stateDirectory });
  const started = { dataSource, database: new Database(dataSource), watch };
  processes.push(started);
  await watch.onModuleInit();
  return started;
}

async function append({ database }: ServiceProcess): Promise<void> {
  const owner = { organizationId: newId<never>(), accountId: newId<never>() };
  const event = { type: 'noted', aggregateId: newId<string>(), ...owner, occurredAt: new Date(), data: {} };
  await database.run(() => new EventLog(database).append([event]));
}

const timelineOf = ({ database }: ServiceProcess) => database.identity.currentServer().timeline;

const check = ({ watch }: ServiceProcess) =>
  eventually(() =>
    watch.checkDatabase().then(
      () => true,
      () => false,
    ),
  );

describe('A failover to a standby', () => {
  beforeEach(async () => {
    pair = await DatabasePair.start();
    await migrate(pair.url([0]));
    await pair.addStandby();
  });
  afterEach(async () => {
    for (const { watch, dataSource } of processes) {
      await watch.beforeApplicationShutdown();
      await dataSource.destroy();
    }
    processes = [];
    await pair.close();
  });

  it('continues on the standby without cached state, and never writes to the old primary again', async () => {
    const one = await startProcess();
    const leases = new Leases(one.database);
    const tail = new EventTail(one.database);
    await append(one);
    await tail.poll();
    const epoch = (await leases.acquire('role', newId()))!;
    await pair.caughtUp();

    await pair.kill(0);
    await pair.promote();
    await check(one);

    expect([timelineOf(one), one.database.identity.stopReason]).toEqual([2, null]);
    expect(await tail.poll()).toEqual({ events: 'too_many' });
    await expect(one.database.run(() => leases.lockUntilCommit('role', epoch))).rejects.toThrow(LeaseLost);
    await append(one);

    await pair.startServer(0);
    const isOfTest = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'test'`;
    await pair.sql(1, isOfTest);
    await check(one);
    await append(one);
    const another = await startProcess();

    expect([timelineOf(one), timelineOf(another)]).toEqual([2, 2]);
    expect(await pair.sql(0, 'SELECT FROM platform.events')).toHaveLength(1);
  });

  it('stops writing in every process after it lost commits, until the operator accepts the loss', async () => {
    const [one, other, away] = [await startProcess(), await startProcess(), await startProcess()];
    await pair.caughtUp();
    await pair.partStandby();
    await append(one);
    await append(away);
    await pair.kill(0);
    await pair.promote();

    const failure = await eventually(
      () =>
        append(one).then(
          () => null,
          (error: unknown) => error,
        ),
      (error) => error instanceof WritesStoppedError,
    );
    await check(one);
    await check(other);
    const late = await startProcess();

    expect(failure).toMatchObject({ kind: 'unavailable', code: 'writing_stopped' });
    for (const { database } of [one, other, late])
      expect(database.identity.stopReason).toContain(
        '1 rows that were committed, among them platform.events',
      );
    await expect(one.database.query('SELECT FROM platform.events')).resolves.toEqual([]);
    await expect(late.database.query('DELETE FROM platform.parked_events')).rejects.toThrow(
      WritesStoppedError,
    );

    await pair.sql(1, `UPDATE platform.losses SET recovered_at = clock_timestamp(), recovered_by = 'test'`);
    // A process that was away finds its own loss only now: the operator has accepted it already.
    for (const each of [one, other, late, away, away]) await check(each);
    for (const each of [one, other, late, away]) await append(each);
  });

  it('detects lost commits in a process that wrote only its mark, and in one that starts later', async () => {
    const state = join(folder, 'state');
    const one = await startProcess(undefined, state);
    await pair.caughtUp();
    await pair.partStandby();
    await one.watch.checkDatabase();
    await pair.kill(0);
    await pair.promote();

    const next = await startProcess(undefined, state);

    expect(next.database.identity.stopReason).toContain('lacks the mark that this process wrote last');
    await check(one);
    expect(one.database.identity.stopReason).not.toBeNull();
    expect(await pair.sql(1, 'SELECT FROM platform.losses')).toHaveLength(2);
    expect(readdirSync(state)).toEqual([]);
  });
});

describe('A commit whose wait for a replica is cancelled', () => {
  let dataSource: DataSource;
  let database: Database;
  const note = (text: string) => database.query('INSERT INTO notes (text) VALUES ($1)', [text]);

  beforeAll(async () => {
    pair = await DatabasePair.start();
    await pair.sql(0, 'CREATE TABLE notes (text text PRIMARY KEY)');
    const options = { poolSize: 3, applicationName: 'test', onPoolError: () => undefined };
    dataSource = await createDataSource({ databaseUrl: pair.url([0]), ...options }).initialize();
    database = new Database(dataSource);
    await pair.sql(0, `ALTER SYSTEM SET synchronous_standby_names = 'nobody'`, 'postgres');
    await pair.sql(0, 'SELECT pg_reload_conf()');
    await untilCommitsWait();
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await pair.close();
  });

  const WAITING = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;

  /** The server applies the setting a moment later; commits before that do not wait. */
  async function untilCommitsWait(): Promise<void> {
    for (let n = 0; ; n += 1) {
      let isOver = false;
      const written = note(`probe ${n}`).then(
        () => (isOver = true),
        () => undefined,
      );
      await eventually(async () => isOver || (await pair.sql(0, WAITING)).length === 1);
      if (isOver) continue;
      await cancelWait();
      await written;
      return;
    }
  }

  async function cancelWait(): Promise<void> {
    await eventually(async () => (await pair.sql(0, WAITING)).length === 1);
    await pair.sql(0, `SELECT pg_cancel_backend(pid) FROM (${WAITING}) AS waiting`);
  }

  it.each([
    ['of a unit of work', (text: string) => database.run(() => note(text))],
    ['of a single statement', note],
  ])('fails with an unknown outcome if it is %s', async (text, write) => {
    const written = write(text).then(
      () => 'acknowledged',
      (error: unknown) => error,
    );
    await cancelWait();
    const failure = await written;

    expect(failure).toMatchObject({ code: '08007' });
    expect(isTransientDatabaseError(failure)).toBe(true);
    // It is committed here, and the next failover may take it away.
    expect(await database.query('SELECT FROM notes WHERE text = $1', [text])).toHaveLength(1);
  });

  it('fails also when an answer under an idempotency key is read, since its commit may have no replica', async () => {
    const columns =
      'credential_id uuid, key text, request_digest bytea, execution_id uuid, answer text, held_until timestamptz, created_at timestamptz';
    const [credentialId, executionId] = [newId<string>(), newId<string>()];
    const row = `'${credentialId}', 'order-1', '', '${newId()}', '{}', NULL, now()`;
    await pair.sql(
      0,
      `SET synchronous_commit = local; CREATE SCHEMA platform; CREATE TABLE platform.idempotency_keys (${columns});
     INSERT INTO platform.idempotency_keys VALUES (${row})`,
    );
    const found = new IdempotencyKeys(database)
      .find({ credentialId, key: 'order-1', executionId, at: new Date() } as unknown as IdempotencyKeyUse)
      .catch((error: unknown) => error);
    await cancelWait();

    expect(await found).toMatchObject({ code: '08007' });
  });
});
