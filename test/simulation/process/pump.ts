import type { Random } from '../random.js';
import { connectionsInUse } from './database-seam.js';
import type { Mortal } from './current-process.js';
import { type Clock, realClearTimeout, realTimeout } from './simulated-time.js';
import { areFilesRead, isThreadBusy, untilThreadsRest } from './threads.js';

export interface Step {
  readonly process: Mortal;
  readonly what: string;
  perform(): Promise<unknown>;
  /** True while the database lets it wait for another transaction's lock. Absent: it never waits. */
  isBlocked?(): Promise<boolean>;
}

/** The fate of a step. `lost`: it was carried out, and its sender learns only that the connection broke. */
export type Fate =
  | 'none'
  | 'refused'
  | 'lost'
  | 'killed before'
  | 'killed after'
  | { readonly fails: (step: Step) => Promise<unknown> };

export interface Fates {
  draw(step: Step): Fate;
  kill(process: Mortal): Promise<void>;
  /** Ends the connection of a step. @returns the error that its sender gets */
  cut(step: Step): Promise<Error>;
}

export interface Task {
  readonly name: string;
  readonly process?: Mortal;
  run(): Promise<void>;
}

interface Waiting extends Step {
  deliver(outcome: Promise<unknown>): void;
}

interface Running {
  readonly waiting: Waiting;
  readonly outcome: Promise<unknown>;
  /** Resolves with true when the outcome is there, also where it is an error. */
  readonly over: Promise<true>;
}

/** Tasks that wait for timers have so much simulated time: nodes that hang delay a command that asks about each of many floats. */
const LONGEST_PAUSE_MS = 3_600_000;
/** PostgreSQL has looked for deadlocks by then (`deadlock_timeout` is 1 ms here). */
const AFTER_DEADLOCK_CHECK_MS = 6;
/** Statements that take longer are asked about: they wait for a lock, or are slow. Real time, so it decides nothing. */
const SLOW_MS = 3;
/** Turns of the event loop without news until nothing more moves by itself. */
const CALM_TURNS = 6;

/** Tasks wait for something that never comes. */
export class Stuck extends Error {
  static {
    this.prototype.name = 'Stuck';
  }
}

/**
 * Lets one step of all tasks go at a time, drawn by the seed, when nothing else moves in this process: so the same seed gives the same
 * order of everything. Steps that wait for a lock stay until the holder's next step frees them.
 */
export class Pump {
  private readonly waiting: Waiting[] = [];
  private blocked: Running[] = [];
  private arrivals = 0;
  fates: Fates | null = null;

  constructor(
    private readonly random: Random,
    private readonly clock: Clock,
    /** Called after each step, for the history. */
    private readonly note: (process: string, what: string, fate: string) => void,
  ) {}

  /** The seam: resolves when the step was let go and answered; never, once its process is dead. */
  pass<T>(step: Step): Promise<T> {
    this.arrivals += 1;
    return new Promise<T>((resolve) => {
      if (step.process.isDead) return;
      this.waiting.push({ ...step, deliver: (outcome) => resolve(outcome as Promise<T>) });
    });
  }

  /** Runs tasks side by side to their ends. @throws Stuck, or the first error of a task, after the others' ends */
  async run(tasks: readonly Task[]): Promise<void> {
    const open = new Set(tasks);
    const latest = this.clock.now + LONGEST_PAUSE_MS;
    const failures: unknown[] = [];
    for (const task of tasks)
      task
        .run()
        .catch((error: unknown) => failures.push(error))
        .finally(() => open.delete(task));
    for (;;) {
      await this.calm();
      for (const task of open) if (task.process?.isDead) open.delete(task);
      const next = this.take();
      if (next !== undefined) await this.let(next);
      else if (this.blocked.length > 0) await this.untilOneGoesOn();
      else if (areFilesRead()) await real(1);
      else if (open.size === 0) break;
      else if (!(await this.passTime(latest)))
        throw new Stuck(`${[...open].map(({ name }) => name).join(', ')} (${connectionsInUse()})`);
    }
    if (failures.length > 0) throw failures[0];
  }

  forget(process: Mortal): void {
    const left = this.waiting.filter((step) => step.process !== process);
    this.waiting.splice(0, this.waiting.length, ...left);
    this.blocked = this.blocked.filter(({ waiting }) => waiting.process !== process);
  }

  private take(): Waiting | undefined {
    if (this.waiting.length === 0) return undefined;
    const [next] = this.waiting.splice(this.random.whole(0, this.waiting.length - 1), 1);
    return next;
  }

  private async let(waiting: Waiting): Promise<void> {
    const fate = this.fates?.draw(waiting) ?? 'none';
    this.note(waiting.process.name, waiting.what, typeof fate === 'string' ? fate : 'fails');
    if (fate === 'killed before') return this.fates!.kill(waiting.process);
    if (fate === 'refused') return waiting.deliver(Promise.reject(await this.fates!.cut(waiting)));
    const outcome = typeof fate === 'object' ? fate.fails(waiting) : waiting.perform();
    const isOver = () => true as const;
    const running: Running = { waiting, outcome, over: outcome.then(isOver, isOver) };
    if (!(await this.settles(running))) {
      this.blocked.push(running);
      await real(AFTER_DEADLOCK_CHECK_MS);
    } else if (fate === 'killed after') await this.fates!.kill(waiting.process);
    else if (fate === 'lost') waiting.deliver(Promise.reject(await this.fates!.cut(waiting)));
    else waiting.deliver(running.outcome);
    await this.freed();
  }

  /** Delivers the outcomes of blocked steps that another step has let go on. */
  private async freed(): Promise<void> {
    for (const running of [...this.blocked]) {
      if (!this.blocked.includes(running) || (await isBlocked(running))) continue;
      if (!(await this.settles(running))) continue;
      this.blocked = this.blocked.filter((one) => one !== running);
      await this.calm();
      running.waiting.deliver(running.outcome);
    }
  }

  /** @returns false where it waits for a lock */
  private async settles(running: Running): Promise<boolean> {
    while (!(await isWithin(SLOW_MS, running.over))) if (await isBlocked(running)) return false;
    return true;
  }

  private async untilOneGoesOn(): Promise<void> {
    const before = this.blocked.length;
    for (let looks = 0; this.blocked.length === before; looks += 1) {
      if (looks > 2_000)
        throw new Stuck(`locks: ${this.blocked.map(({ waiting }) => waiting.what).join('; ')}`);
      await this.freed();
      await real(5);
    }
  }

  private async passTime(latest: number): Promise<boolean> {
    const next = this.clock.nextTimerWithin(latest - this.clock.now);
    if (next === null) return false;
    await this.clock.goTo(next);
    return true;
  }

  /** Until all code of this process waits. */
  private async calm(): Promise<void> {
    for (let turns = 0, seen = this.arrivals; turns < CALM_TURNS; turns += 1) {
      await immediate();
      if (isThreadBusy()) await untilThreadsRest();
      else if (seen === this.arrivals) continue;
      seen = this.arrivals;
      turns = 0;
    }
  }
}

async function isBlocked({ waiting, over }: Running): Promise<boolean> {
  if ((await waiting.isBlocked?.()) !== true) return false;
  return !(await isWithin(0, over));
}

function immediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function real(ms: number): Promise<void> {
  return new Promise((resolve) => realTimeout(resolve, ms));
}

/** @returns false where it is not there in so many real milliseconds */
function isWithin(ms: number, over: Promise<true>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = realTimeout(() => resolve(false), ms);
    void over.then(() => {
      realClearTimeout(timer);
      resolve(true);
    });
  });
}
