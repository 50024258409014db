import type { Mortal } from '../process/current-process.js';
import type { StatementStep } from '../process/database-seam.js';
import type { Fate, Fates, Step } from '../process/pump.js';
import type { SimulatedDatabase } from '../process/simulated-database.js';
import { type Random, emphasis, emphasised } from '../random.js';

export const FAULT_LEVELS = ['none', 'some', 'all'] as const;
export type FaultLevel = (typeof FAULT_LEVELS)[number];

interface StepFault {
  readonly name: string;
  readonly weight: number;
  /** PostgreSQL fails a statement with it (SQLSTATE). Absent: the fate of any step. */
  readonly state?: string;
}

const KINDS: readonly StepFault[] = [
  { name: 'killed before', weight: 3 },
  { name: 'killed after', weight: 3 },
  { name: 'refused', weight: 4 },
  { name: 'lost', weight: 4 },
  { name: 'disk full', weight: 2, state: '53100' },
  { name: 'lock timeout', weight: 2, state: '55P03' },
  { name: 'deadlock', weight: 2, state: '40P01' },
];

/** So many steps out of a million, in the middle of all seeds. */
const A_MILLION = { none: 0, some: 150, all: 600 } as const;
/** The same for a run that covers every kind. */
const COVERING_MILLION = 1_000;
/** Faults come up to so many times as often at the first statements of a kind, so that those of loops do not have nearly all of them. */
const MOST_AT_RARE = 10;
/** A statement of a kind that has come so often has no more than its share. */
const RARE = 50;
/** So much of a step says of which kind it is. */
const KIND_LENGTH = 120;
/** A seed has up to so many times that, or down to one part in as many; and so each kind among the others. */
const MOST_OFTEN = 8;

class ConnectionEnded extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('Connection terminated unexpectedly');
  }
}

/** Draws what goes wrong at the seams. While it is quiet, nothing does. */
export class StepFaults implements Fates {
  isQuiet = true;
  isDatabaseAway = false;
  /** Other kinds are left out; null: none is. */
  only: readonly string[] | null = null;
  /** So many statements come before the database is restarted; null: it is not. */
  private untilRestart: number | null = null;
  readonly counts = new Map<string, number>();
  private readonly kinds: readonly StepFault[];
  private readonly share: number;
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly random: Random,
    private readonly database: SimulatedDatabase,
    private readonly level: FaultLevel,
    private readonly killed: (process: Mortal) => Promise<void>,
    private readonly covers: boolean,
  ) {
    this.kinds = emphasised(KINDS, random, MOST_OFTEN);
    const share = (A_MILLION[level] / 1e6) * emphasis(random, MOST_OFTEN);
    this.share = covers ? COVERING_MILLION / 1e6 : share;
  }

  get missing(): readonly StepFault[] {
    return this.kinds.filter(({ name }) => !this.counts.has(name));
  }

  get isAtWork(): boolean {
    return !this.isQuiet && this.level !== 'none';
  }

  restartDatabaseIn(statements: number): void {
    this.untilRestart = statements;
  }

  draw(step: Step): Fate {
    const isStatement = 'client' in step;
    if (isStatement && !this.isQuiet && this.untilRestart !== null && (this.untilRestart -= 1) < 0) {
      this.untilRestart = null;
      return { fails: () => this.restart() };
    }
    if (this.isDatabaseAway && (isStatement || step.what === 'connect')) return 'refused';
    // Drawn also while it is quiet, so that a run without one kind meets the others where it met them before.
    const isHit = this.random.chance(this.share * this.rarity(step));
    const drawn = this.random.weighted(this.kinds);
    const { name, state } = (this.covers && this.missing[0]) || drawn;
    if (!isHit || this.isQuiet || this.only?.includes(name) === false) return 'none';
    if (name.startsWith('killed') && step.process.isSafe) return 'none';
    if (state !== undefined && !isStatement) return 'none';
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    if (state === undefined) return name as Fate;
    return { fails: (at) => (at as StatementStep).instead(`SELECT simulated.fail('${state}')`) };
  }

  /** @returns from 1, for a kind of step that has come often, to `MOST_AT_RARE` */
  private rarity({ what }: Step): number {
    const kind = what.slice(0, KIND_LENGTH);
    const before = this.seen.get(kind) ?? 0;
    if (!this.isQuiet) this.seen.set(kind, before + 1);
    return Math.max(1, MOST_AT_RARE * (1 - before / RARE));
  }

  private async restart(): Promise<never> {
    await this.database.cutAll();
    throw new ConnectionEnded();
  }

  kill(process: Mortal): Promise<void> {
    return this.killed(process);
  }

  async cut(step: Step): Promise<Error> {
    if ('client' in step) await this.database.cut((step as StatementStep).client);
    return new ConnectionEnded();
  }
}

/** So often a request that may change something is delivered twice, in the middle of all seeds. */
const PROXY_SHARE = { none: 0, some: 0.01, all: 0.04 } as const;
/** A seed has up to so many times that, or down to one part in as many. */
const PROXY_MOST_OFTEN = 4;
const MOST_PATIENCE_MS = 5_000;
const LONGEST_DELAY_MS = 20 * 60_000;

/** The second delivery of a request. `retry`: its answer is the caller's, and the first one's is lost. `copy`: the other way round. */
interface SecondDelivery {
  readonly kind: 'retry' | 'copy';
  readonly afterMs: number;
}

/** Whatever stands between callers and processes: now and then it delivers a request twice. */
export class Proxy {
  readonly counts = new Map<string, number>();
  private readonly share: number;

  constructor(
    private readonly random: Random,
    level: FaultLevel,
    private readonly faults: Pick<StepFaults, 'isQuiet' | 'only'>,
  ) {
    this.share = PROXY_SHARE[level] * emphasis(random, PROXY_MOST_OFTEN);
  }

  draw(): SecondDelivery | undefined {
    const isHit = this.random.chance(this.share);
    const kind = this.random.oneOf(['retry', 'copy'] as const);
    const most = kind === 'retry' ? MOST_PATIENCE_MS : LONGEST_DELAY_MS;
    // Half of the retries meet the first delivery under way.
    const afterMs = kind === 'retry' && this.random.chance(0.5) ? 0 : this.random.whole(1, most);
    const name = kind === 'retry' ? 'a request retried by a proxy' : 'a request delivered again later';
    if (!isHit || this.faults.isQuiet || this.faults.only?.includes(name) === false) return undefined;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    return { kind, afterMs };
  }
}
