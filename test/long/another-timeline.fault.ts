import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { migrate } from '#app/migrate.js';
import { newId } from '#shared/kernel/ids.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { DatabaseWatch } from '#shared/platform/database/database-watch.js';
import { WritingStopped } from '#shared/platform/database/writing-stopped.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { EventTail } from '#shared/platform/event-log/event-tail.js';
import { LeaseLost, Leases } from '#shared/platform/leases/leases.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { DatabasePair } from '#test/support/database-pair.js';
import { eventually } from '#test/support/eventually.js';

interface ServiceProcess {
  readonly dataSource: DataSource;
  readonly database: Database;
  readonly watch: DatabaseWatch;
}

Logger.overrideLogger(false);
const folder = mkdtempSync(join(tmpdir(), 'another-timeline-'));
let pair: DatabasePair;
let processes: ServiceProcess[];
beforeEach(async () => {
  processes = [];
  pair = await DatabasePair.start();
  await migrate(pair.url([0]));
  await pair.addStandby();
});
afterEach(async () => {
  for (const { watch, dataSource } of processes) {
    await watch.beforeApplicationShutdown();
    await dataSource.destroy();
  }
  await pair.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process as it starts, without its loops: the test takes its looks. */
async function startProcess(url = pair.url([1, 0]), stateDirectory?: string): Promise<ServiceProcess> {
  const options = { poolSize: 3, applicationName: 'test', onPoolError: () => undefined };
  const dataSource = await createDataSource({ databaseUrl: url, ...options }).initialize();
  const watch = new DatabaseWatch(dataSource, { role: 'worker', stateDirectory }, new Metrics());
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

const timelineOf = ({ database }: ServiceProcess) => database.identity.current().timeline;

/** The look of a process whose connections may all be broken. */
const look = ({ watch }: ServiceProcess) =>
  eventually(() =>
    watch.turn().then(
      () => true,
      () => false,
    ),
  );

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

async function recover(): Promise<void> {
  await pair.sql(1, `UPDATE platform.losses SET recovered_at = clock_timestamp(), recovered_by = 'test'`);
}

describe('A primary that is lost with nothing of its log', () => {
  it('is followed to its successor, and all that was remembered of it is forgotten', async () => {
    const one = await startProcess();
    const leases = new Leases(one.database);
    const tail = new EventTail(one.database);
    await append(one);
    await tail.look();
    const epoch = (await leases.acquire('role', newId()))!;
    await pair.caughtUp();

    await pair.kill(0);
    await pair.promote();
    await look(one);

    expect([timelineOf(one), one.database.identity.stopped]).toEqual([2, null]);
    expect(await tail.look()).toEqual({ events: 'too_many' });
    await expect(one.database.run(() => leases.protect('role', epoch))).rejects.toThrow(LeaseLost);
    await append(one);
  });

  it('is not written to any more once it comes back beside its successor', async () => {
    const one = await startProcess();
    await pair.caughtUp();
    await pair.kill(0);
    await pair.promote();
    await look(one);

    await pair.startServer(0);
    await pair.sql(
      1,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'test'`,
    );
    await look(one);
    await append(one);
    const another = await startProcess();

    expect([timelineOf(one), timelineOf(another)]).toEqual([2, 2]);
    expect(await pair.sql(0, 'SELECT FROM platform.events')).toEqual([]);
  });
});

describe('A primary that is lost with what it had acknowledged', () => {
  async function loseEvents(one: ServiceProcess): Promise<void> {
    await pair.caughtUp();
    await pair.partStandby();
    await append(one);
    await pair.kill(0);
    await pair.promote();
  }

  it('stops all writing of every process, until the operator accepts it', async () => {
    const [one, other] = [await startProcess(), await startProcess()];
    await loseEvents(one);

    const failure = await eventually(
      () => failureOf(append(one)),
      (error) => error instanceof WritingStopped,
    );
    await look(one);
    await look(other);
    const late = await startProcess();

    expect(failure).toMatchObject({ kind: 'unavailable', code: 'writing_stopped' });
    const stops = [one, other, late].map(({ database }) => database.identity.stopped);
    expect(stops).toEqual(
      [0, 1, 2].map(() => expect.stringContaining('1 rows that were committed, among them platform.events')),
    );
    await expect(one.database.query('SELECT FROM platform.events')).resolves.toEqual([]);
    await expect(late.database.query('DELETE FROM platform.parked_events')).rejects.toThrow(WritingStopped);

    await recover();
    for (const each of [one, other, late]) await look(each);
    for (const each of [one, other, late]) await append(each);
  });

  it('is noticed by a process that wrote nothing but its mark, and by one that starts after all have ended', async () => {
    const state = join(folder, 'state');
    const one = await startProcess(undefined, state);
    await pair.caughtUp();
    await pair.partStandby();
    await one.watch.turn();
    await pair.kill(0);
    await pair.promote();

    const next = await startProcess(undefined, state);

    expect(next.database.identity.stopped).toContain('lacks the mark that this process wrote last');
    await look(one);
    expect(one.database.identity.stopped).not.toBeNull();
    expect(await pair.sql(1, 'SELECT FROM platform.losses')).toHaveLength(2);
    expect(readdirSync(state)).toEqual([]);
  });

  it('accepted once is not found anew by a process that was away', async () => {
    const [one, away] = [await startProcess(), await startProcess()];
    await pair.caughtUp();
    await pair.partStandby();
    await Promise.all([append(one), append(away)]);
    await pair.kill(0);
    await pair.promote();
    await look(one);
    await recover();
    await look(one);

    await look(away);
    await look(away);
    await look(away);

    expect([one, away].map(({ database }) => database.identity.stopped)).toEqual([null, null]);
    expect(await pair.sql(1, 'SELECT FROM platform.losses')).toHaveLength(2);
  });
});
