import { setTimeout as pause } from 'node:timers/promises';
import { type ServerProcess, waitUntil } from '#sandbox/processes/child-process.js';
import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { readingOf } from './chain-reading.js';
import type { ChainRun } from './chain-run.js';
import { letLeaseLapse } from './chain-watcher.js';
import { Watchers, WatchersInProcess } from './chain-watchers.js';
import type { ChainWorld } from './chain-world.js';

/** The sandbox's configuration says the same. */
const WATCHING = { confirmations: 5, endpoints: 2 } as const;
const PATIENCE_MS = 30_000;

/** A worker of the build in a process of its own, until SIGKILL; from then on as `WatchersInProcess`. */
export class WatchersWithWorker extends Watchers {
  readonly endpoints = WATCHING.endpoints;
  /** Each failure of an endpoint costs a real worker seconds. */
  readonly bears = 'quiet';
  readonly successors: WatchersInProcess;
  private worker: ServerProcess | null = null;

  private constructor(
    private readonly world: ChainWorld,
    private readonly random: SeededRandom,
  ) {
    super();
    this.successors = new WatchersInProcess(world, random, WATCHING);
  }

  static async start(world: ChainWorld, random: SeededRandom): Promise<WatchersWithWorker> {
    const watchers = new WatchersWithWorker(world, random);
    watchers.worker = await world.service.anotherWorker(world.endpoints.map(({ url }) => url));
    return watchers;
  }

  async watch(run: ChainRun, far: 'to the end' | 'a little'): Promise<void> {
    if (this.worker === null) return this.successors.watch(run, far);
    const isRead = async () => (await this.reading()).headNumber >= run.headNumber;
    if (far === 'a little') await pause(this.random.whole(0, 120));
    // From an endpoint that lags it never comes to the end.
    else await waitUntil(isRead, { timeoutMs: 1_000, everyMs: 10 });
    run.note(`the worker watches ${far}`);
  }

  async die(run: ChainRun): Promise<void> {
    if (this.worker === null) return this.successors.die(run);
    const delayMs = this.random.whole(0, 120);
    await pause(delayMs);
    await this.kill();
    run.note(`SIGKILL of the worker after ${delayMs} ms`);
  }

  async twoAtOnce(run: ChainRun): Promise<void> {
    await this.successors.twoAtOnce(run);
    if (this.worker !== null) await letLeaseLapse(this.world);
  }

  async stand(run: ChainRun): Promise<void> {
    if (this.worker === null) return;
    run.behave();
    await this.until('the worker has nothing to do', async () => {
      const { headNumber, finalNumber } = await this.reading();
      return headNumber === run.headNumber && finalNumber >= run.headNumber - WATCHING.confirmations + 1;
    });
    run.note('the worker has read all there is');
  }

  async settle(run: ChainRun): Promise<void> {
    if (this.worker !== null) await this.kill();
    await this.successors.settle(run);
  }

  async end(): Promise<void> {
    if (this.worker !== null) await this.kill();
  }

  private reading() {
    return readingOf(this.world);
  }

  /** A transaction that it had sent already may still be carried out. */
  private async kill(): Promise<void> {
    process.kill(this.worker!.pid, 'SIGKILL');
    this.world.tally.count('SIGKILLs of workers');
    this.worker = null;
    await this.until('its connections have ended', async () => {
      const [row] = await this.world.service.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'worker'`,
      );
      return row!.n === 0;
    });
    await letLeaseLapse(this.world);
  }

  private async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    if (await waitUntil(isSo, { timeoutMs: PATIENCE_MS, everyMs: 10 })) return;
    throw new Error(`Not within ${PATIENCE_MS / 1_000} s: ${what}; ${JSON.stringify(await this.reading())}`);
  }
}
