import type { SimulatedDatabase } from './simulated-database.js';
import { counted } from './threads.js';
import type { SimulatedTime } from './simulated-time.js';

/** Time as everybody has it: this process, PostgreSQL and, by the blocks that are mined, the chain. */
export class Clock {
  constructor(
    private readonly time: SimulatedTime,
    private readonly database: Pick<SimulatedDatabase, 'goTo'>,
  ) {}

  get now(): number {
    return this.time.now;
  }

  /** PostgreSQL first: what a timer begins sees the time at which it was due. */
  async goTo(milliseconds: number): Promise<void> {
    await counted(this.database.goTo(Math.max(milliseconds, this.time.now)));
    this.time.advance(milliseconds);
  }

  nextTimerWithin(ms: number): number | null {
    return this.time.nextWithin(ms);
  }
}
