import { afterAll } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { DatabaseClock } from '#shared/platform/clock/database-clock.js';
import { createDataSource, connectionPoolOf } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { ScheduledJobs } from '#shared/platform/due-work/scheduled-jobs.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { TESTS, type ServiceTime } from './database-pool.js';
import { MOVED_CLOCK } from './partial-worlds.js';
import { giveDatabaseBack, takeDatabase } from './offered-databases.js';

export interface TestPlatform {
  readonly url: string;
  readonly dataSource: DataSource;
  readonly database: Database;
  readonly clock: DatabaseClock;
  readonly eventLog: EventLog;
  readonly scheduledJobs: ScheduledJobs;
  readonly leases: Leases;
  /** Moves the one clock by so many seconds from now on. */
  advance(seconds: number): Promise<void>;
  /**
   * This world stores rows without what another context would have stored beside them: these invariants are not checked at the
   * end.
   */
  makesUp(invariants: readonly string[]): void;
  /**
   * Checks every invariant on what the test left behind, then returns the database.
   * @param brokenOnPurpose names of the invariants that the test itself has broken, or 'any' where it tampered freely
   * @throws when any other is broken
   */
  close(brokenOnPurpose?: readonly string[] | 'any'): Promise<void>;
}

interface Connected {
  readonly url: string;
  readonly dataSource: DataSource;
}

/**
 * A database with its connections, which the next test of the file uses again: a new connection reads the catalogs and plans every
 * statement again, which takes longer than most tests.
 */
const kept = new Map<ServiceTime, Connected>();
/** True once the tests of the file have ended. Jest runs the file's own `afterAll` hooks after this one. */
let isOver = false;
afterAll(() => {
  isOver = true;
  return Promise.all([...kept.values()].map(({ dataSource }) => dataSource.destroy()));
});

async function connect(time: ServiceTime): Promise<Connected> {
  const again = kept.get(time);
  kept.delete(time);
  if (again !== undefined) return again;
  const url = await takeDatabase(time);
  const dataSource = createDataSource({
    databaseUrl: url,
    poolSize: 10,
    applicationName: TESTS,
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  return { url, dataSource };
}

/** Ends what a test has set on the connections. @returns false if it has destroyed them, or still uses one */
async function isReusable({ dataSource }: Connected): Promise<boolean> {
  if (!dataSource.isInitialized) return false;
  const pool = connectionPoolOf(dataSource);
  if (pool.idleCount !== pool.totalCount || pool.waitingCount > 0) return false;
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  await Promise.all(clients.map((client) => client.query('RESET ALL; SELECT pg_advisory_unlock_all()')));
  for (const client of clients) client.release();
  return true;
}

/** A migrated, empty database and the platform on it. */
export async function openTestDatabase(time: ServiceTime = 'runs'): Promise<TestPlatform> {
  const connected = await connect(time);
  const { url, dataSource } = connected;
  const database = new Database(dataSource);
  const madeUp: string[] = [];
  return {
    url,
    dataSource,
    database,
    clock: new DatabaseClock(database),
    eventLog: new EventLog(database),
    scheduledJobs: new ScheduledJobs(database),
    leases: new Leases(database),
    async advance(seconds) {
      await database.query('UPDATE platform.clock_offset SET value = value + make_interval(secs => $1)', [
        seconds,
      ]);
    },
    makesUp: (invariants) => void madeUp.push(...invariants),
    async close(brokenOnPurpose = []) {
      const except = brokenOnPurpose === 'any' ? 'any' : [...MOVED_CLOCK, ...madeUp, ...brokenOnPurpose];
      const keeps = !isOver && !kept.has(time) && (await isReusable(connected).catch(() => false));
      if (!keeps && dataSource.isInitialized) await dataSource.destroy();
      const { broken, isKept } = await giveDatabaseBack({ url, except, keeps });
      if (isKept) kept.set(time, connected);
      else if (dataSource.isInitialized) await dataSource.destroy();
      if (broken.length > 0) throw new Error(`Invariants are broken: ${JSON.stringify(broken, null, 2)}`);
    },
  };
}
