import type { DataSource } from 'typeorm';
import { DatabaseClock } from '#shared/platform/clock/database-clock.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { DueWork } from '#shared/platform/due-work/due-work.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { Leases } from '#shared/platform/leases/leases.js';
import type { ServiceTime } from './database-pool.js';
import { MOVED_CLOCK } from './partial-worlds.js';
import { giveDatabaseBack, takeDatabase } from './offered-databases.js';

export interface TestPlatform {
  readonly url: string;
  readonly dataSource: DataSource;
  readonly database: Database;
  readonly clock: DatabaseClock;
  readonly eventLog: EventLog;
  readonly dueWork: DueWork;
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

/** A migrated database of its own and the platform on it. */
export async function openTestDatabase(time: ServiceTime = 'runs'): Promise<TestPlatform> {
  const url = await takeDatabase(time);
  const dataSource = createDataSource({
    databaseUrl: url,
    poolSize: 10,
    applicationName: 'test',
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  const database = new Database(dataSource);
  const madeUp: string[] = [];
  return {
    url,
    dataSource,
    database,
    clock: new DatabaseClock(database),
    eventLog: new EventLog(database),
    dueWork: new DueWork(database),
    leases: new Leases(database),
    async advance(seconds) {
      await database.query('UPDATE platform.clock_offset SET value = value + make_interval(secs => $1)', [
        seconds,
      ]);
    },
    makesUp: (invariants) => void madeUp.push(...invariants),
    async close(brokenOnPurpose = []) {
      await dataSource.destroy();
      const excepted = [...MOVED_CLOCK, ...madeUp, ...brokenOnPurpose];
      const except = brokenOnPurpose === 'any' ? 'any' : excepted;
      const broken = await giveDatabaseBack({ url, except });
      if (broken.length > 0) throw new Error(`Invariants are broken: ${JSON.stringify(broken, null, 2)}`);
    },
  };
}
