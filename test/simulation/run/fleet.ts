import { within, ServiceProcess } from '../process/current-process.js';
import type { Pump, Task } from '../process/pump.js';
import type { Loop, ServiceBuild } from '../process/service-build.js';
import type { SimulatedDatabase } from '../process/simulated-database.js';
import type { Random } from '../random.js';

/** So many of each, as a small installation has them. */
const ROLES = ['api', 'api', 'worker', 'worker'] as const;

/** Webhook attempts are recorded by it, together. */
const WRITES_OFF = 'webhook attempts';
/** Loops that rest longer do what waits for hours or days. */
const OFTEN_MS = 10_000;
const SELDOM_SHARE = 0.1;

/** The processes of the service: starts, kills and replaces them, and takes the turns of their loops. */
export class Fleet {
  builds: readonly ServiceBuild[] = [];
  private processes: ServiceProcess[] = [];
  private outdated: ServiceProcess[] = [];
  private loops: Loop[] = [];
  readonly resting = new Set<string>();
  private started = 0;

  constructor(
    private readonly pump: Pump,
    private readonly database: SimulatedDatabase,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly random: Random,
  ) {}

  add(loop: Loop): void {
    this.loops.push(loop);
  }

  get apis(): readonly ServiceProcess[] {
    return this.processes.filter(({ role, isUp }) => role === 'api' && isUp);
  }

  get living(): readonly ServiceProcess[] {
    return this.processes.filter(({ isDead }) => !isDead);
  }

  get loopNames(): readonly string[] {
    return [...new Set(this.loops.map(({ name }) => name))].sort();
  }

  rollOut(): void {
    this.builds = [...this.builds.slice(1), this.builds[0]!];
    this.outdated = this.random.shuffled(this.living);
  }

  /** A rolling restart replaces one process at a time: an API ends once its requests are answered. */
  async replaceOne(): Promise<void> {
    const [one, ...rest] = this.outdated.filter(({ isDead }) => !isDead);
    this.outdated = rest;
    if (one === undefined) return;
    await this.kill(one);
    await this.pump.run([this.start(one.role)]);
  }

  /** Starts what is missing of the fleet, one after another, since they read files, whose order nobody draws. */
  async startMissing(): Promise<void> {
    const left = this.living.map(({ role }) => role);
    const absent = ROLES.filter((role) => {
      const at = left.indexOf(role);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    for (const role of absent) await this.pump.run([this.start(role)]);
  }

  async kill(process: ServiceProcess): Promise<void> {
    process.die();
    this.pump.forget(process);
    this.loops = this.loops.filter((loop) => loop.process !== process);
    await this.database.abandon(process);
  }

  /** One turn of each loop that the draw takes, in a drawn order. @param share of those that look often */
  turns(share: number): Task[] {
    const drawn = this.loops
      .filter(({ idleMs }) => this.random.chance(idleMs > OFTEN_MS ? share * SELDOM_SHARE : share))
      .filter(({ name }) => !this.resting.has(name));
    return this.random.shuffled(drawn).map((loop) => this.turnOf(loop).task);
  }

  /** Writes to the database what processes hold in memory for a second at most, before time goes on by minutes. */
  writingOff(): Task[] {
    return this.loops.filter(({ name }) => name === WRITES_OFF).map((loop) => this.turnOf(loop).task);
  }

  /** Takes turns of all loops until none finds anything to do. @returns false where they found something to the last */
  async untilQuiet(most: number): Promise<boolean> {
    for (let round = 0; round < most; round += 1) {
      const due = this.loops.filter(({ idleMs }) => round === 0 || idleMs <= OFTEN_MS);
      const turns = this.random.shuffled(due).map((loop) => this.turnOf(loop));
      await this.pump.run(turns.map(({ task }) => task));
      if (!turns.some(({ isMore }) => isMore())) return true;
    }
    return false;
  }

  private turnOf(loop: Loop): { task: Task; isMore: () => boolean } {
    let more = false;
    const run = async () => {
      // A turn that fails is tried again later, as the loop itself would.
      more = await within(loop.process, () => loop.turn().catch(() => false));
    };
    return { task: { name: loop.name, process: loop.process, run }, isMore: () => more };
  }

  private start(role: 'api' | 'worker'): Task {
    const build = this.builds[0]!;
    const name = `${role}-${(this.started += 1)}`;
    const process = new ServiceProcess(name, role);
    this.processes = [...this.living, process];
    const run = async () => {
      try {
        await within(process, () => build.start(role, this.environment));
        process.isUp = true;
      } catch (error) {
        // A process that cannot start ends; whoever looks after it starts another.
        this.lastFailure = error;
        if (!process.isDead) await this.kill(process);
      }
    };
    return { name: `start ${name}`, process, run };
  }

  lastFailure: unknown;
}
