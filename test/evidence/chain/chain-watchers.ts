import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { readingOf } from './chain-reading.js';
import type { ChainRun } from './chain-run.js';
import { letLeaseLapse, Watcher, type Watching } from './chain-watcher.js';
import type { ChainWorld } from './chain-world.js';

const MAX_TURNS = 60;
/** About what a turn of a busy watcher sends. */
const STATEMENTS = 40;

/** Whoever reads the chain in a run. */
export abstract class Watchers {
  /** How many endpoints they ask. */
  abstract readonly endpoints: number;
  /** Which faults of endpoints they get over in little time. */
  abstract readonly bears: 'all' | 'quiet';
  abstract watch(run: ChainRun, far: 'to the end' | 'a little'): Promise<void>;
  /** One dies at any moment of its work, and another takes over. */
  abstract die(run: ChainRun): Promise<void>;
  /** One takes over though the other is only slow. */
  abstract twoAtOnce(run: ChainRun): Promise<void>;
  /** Nobody is in the middle of a turn. */
  abstract stand(run: ChainRun): Promise<void>;
  /** Everything is read, and all of it final that can be. @throws Error when that does not happen */
  abstract settle(run: ChainRun): Promise<void>;
  abstract end(): Promise<void>;
}

/** In this process: they die between two statements, by never sending another one. */
export class WatchersInProcess extends Watchers {
  readonly bears = 'all';
  private current: Watcher | null = null;

  constructor(
    private readonly world: ChainWorld,
    private readonly random: SeededRandom,
    private readonly watching: Watching,
  ) {
    super();
  }

  get endpoints(): number {
    return this.watching.endpoints;
  }

  async watch(run: ChainRun, far: 'to the end' | 'a little'): Promise<void> {
    const most = far === 'to the end' ? MAX_TURNS : this.random.whole(1, 2);
    const watcher = await this.watcher();
    const turns: string[] = [];
    do turns.push(await watcher.turn());
    while (turns.length < most && turns.at(-1) === 'more');
    run.note(`watched: ${turns.join(', ')}`);
  }

  async die(run: ChainRun): Promise<void> {
    const watcher = await this.watcher();
    const statements = this.random.whole(0, STATEMENTS);
    watcher.dieAfter(statements);
    let last = 'more';
    for (let turns = 0; turns < 4 && last !== 'died'; turns += 1) last = await watcher.turn();
    if (last === 'died') this.world.tally.count('deaths of watchers');
    run.note(`a watcher dies after ${statements} statements: ${last}`);
    this.replace();
    await letLeaseLapse(this.world);
  }

  async twoAtOnce(run: ChainRun): Promise<void> {
    const slow = await this.watcher();
    const delayMs = this.random.whole(0, 40);
    const other = this.replace();
    const turns = await Promise.all([
      slow.turn(),
      pause(delayMs).then(async () => {
        await letLeaseLapse(this.world);
        return other.turn();
      }),
    ]);
    run.note(`two watchers at once, the second ${delayMs} ms later: ${turns.join(', ')}`);
  }

  async stand(): Promise<void> {
    // Each turn was awaited.
  }

  async settle(run: ChainRun): Promise<void> {
    const watcher = this.replace();
    await letLeaseLapse(this.world);
    const expected = run.headNumber - this.watching.confirmations + 1;
    const turns: string[] = [];
    while (turns.length < MAX_TURNS) {
      turns.push(await watcher.turn());
      const { headNumber, finalNumber } = await readingOf(this.world);
      if (turns.at(-1) === 'idle' && headNumber === run.headNumber && finalNumber === expected) return;
      if (turns.at(-1) === 'nothing') await pause(3);
    }
    const reading = await readingOf(this.world);
    throw new Error(
      `Not read to ${run.headNumber} and final to ${expected} after ${turns.length} turns (${turns.join(', ')}): ` +
        `${reading.headNumber} and ${reading.finalNumber}`,
    );
  }

  async end(): Promise<void> {
    this.replace();
  }

  private async watcher(): Promise<Watcher> {
    if (this.current === null) {
      this.current = new Watcher(this.world, this.watching);
      await letLeaseLapse(this.world);
    }
    return this.current;
  }

  private replace(): Watcher {
    this.current = new Watcher(this.world, this.watching);
    return this.current;
  }
}
