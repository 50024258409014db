import { AsyncResource } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { currentProcess, type Mortal } from './current-process.js';
import type { SimulatedDatabase } from './simulated-database.js';
import { counted } from './threads.js';

const RealDate = Date;
export const realTimeout = setTimeout;
export const realClearTimeout = clearTimeout;

interface Timer {
  due: number;
  readonly order: number;
  readonly every: number | null;
  readonly owner: Mortal | undefined;
  readonly fire: () => void;
}

/**
 * Puts simulated time in the place of the machine's, for all code in this process: `Date`, `performance.now()` and all timers.
 * It stands still until `advance`. PostgreSQL has its own copy (`SimulatedDatabase`).
 */
export class SimulatedTime {
  private readonly timers = new Map<object, Timer>();
  private readonly began: number;
  private made = 0;

  constructor(private milliseconds: number) {
    this.began = milliseconds;
  }

  get now(): number {
    return this.milliseconds;
  }

  install(): void {
    const read = () => this.milliseconds + (currentProcess()?.clockSkew ?? 0);
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, values, newTarget) =>
        Reflect.construct(target, values.length === 0 ? [read()] : values, newTarget) as object,
      apply: () => new RealDate(read()).toString(),
      get: (target, name) => (name === 'now' ? read : (Reflect.get(target, name) as unknown)),
    });
    // It is monotonic: no step of the clock moves it.
    Object.defineProperty(performance, 'now', { value: () => this.milliseconds - this.began });
    const set = (work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
      this.set(work, ms, false, values);
    const repeat = (work: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
      this.set(work, ms, true, values);
    const clear = (handle: unknown) => void this.timers.delete(handle as object);
    const replaced = { setTimeout: set, setInterval: repeat, clearTimeout: clear, clearInterval: clear };
    Object.assign(globalThis, replaced);
    Object.assign(timers, replaced);
    Object.assign(timersPromises, {
      setTimeout: (ms: number, value: unknown, options?: { signal?: AbortSignal }) =>
        this.sleep(ms, value, options?.signal),
    });
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      set(() => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')), ms);
      return controller.signal;
    };
    syncBuiltinESMExports();
  }

  /** Goes on to `to`, and fires what is due by then, in its order. An interval fires once, however often it was due. */
  advance(to: number): void {
    this.milliseconds = Math.max(to, this.milliseconds);
    const due = [...this.timers].filter(([, timer]) => timer.due <= this.milliseconds);
    due.sort(([, a], [, b]) => a.due - b.due || a.order - b.order);
    for (const [handle, timer] of due) this.fire(handle, timer);
  }

  /** @returns when the next timer of a living process is due within `ms` from now; null where none is */
  nextWithin(ms: number): number | null {
    let next = Infinity;
    for (const [handle, { due, owner }] of this.timers) {
      if (owner?.isDead) this.timers.delete(handle);
      else next = Math.min(next, due);
    }
    return next <= this.milliseconds + ms ? next : null;
  }

  private fire(handle: object, timer: Timer): void {
    // One that fired before it may have cleared it.
    if (!this.timers.has(handle)) return;
    if (timer.every === null || timer.owner?.isDead) this.timers.delete(handle);
    else timer.due = this.milliseconds + timer.every;
    if (!timer.owner?.isDead) timer.fire();
  }

  private set(work: (...values: unknown[]) => void, ms: number, repeats: boolean, values: unknown[]): object {
    const wait = Number.isFinite(ms) ? Math.max(1, ms) : 1;
    const handle = new SimulatedTimer((timer) => {
      const known = this.timers.get(timer);
      if (known) known.due = this.milliseconds + wait;
    });
    this.timers.set(handle, {
      due: this.milliseconds + wait,
      order: (this.made += 1),
      every: repeats ? wait : null,
      owner: currentProcess(),
      fire: AsyncResource.bind(() => work(...values)),
    });
    return handle;
  }

  private sleep(ms: number, value: unknown, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const handle = this.set(() => resolve(value), ms, false, []);
      signal?.addEventListener('abort', () => {
        this.timers.delete(handle);
        reject(new DOMException('The operation was aborted.', 'AbortError'));
      });
    });
  }
}

/** A timer as `setTimeout` returns it: nothing keeps this process but the simulation itself. */
class SimulatedTimer {
  constructor(private readonly restart: (timer: object) => void) {}

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return false;
  }

  refresh(): this {
    this.restart(this);
    return this;
  }
}

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
