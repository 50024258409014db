import type { Mortal } from '../process/current-process.js';
import type { StatementStep } from '../process/database-seam.js';
import type { Fate, Fates, Step } from '../process/pump.js';
import type { SimulatedDatabase } from '../process/simulated-database.js';
import type { Random } from '../random.js';

export const FAULT_LEVELS = ['none', 'some', 'all'] as const;
export type FaultLevel = (typeof FAULT_LEVELS)[number];

/** Faults of single steps, by weight. */
const KINDS = {
  'killed before': 3,
  'killed after': 3,
  refused: 4,
  lost: 4,
  'disk full': 2,
  'lock timeout': 2,
  deadlock: 2,
} as const;
export type StepFault = keyof typeof KINDS;

const STATES: Partial<Record<StepFault, string>> = {
  'disk full': '53100',
  'lock timeout': '55P03',
  deadlock: '40P01',
};

/** So many steps out of a million. */
const A_MILLION = { none: 0, some: 150, all: 600 } as const;

class ConnectionEnded extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('Connection terminated unexpectedly');
  }
}

/** Draws what goes wrong at the seams. While it is quiet, nothing does. */
export class StepFaults implements Fates {
  isQuiet = true;
  /** The database takes no statement and no connection. */
  isDatabaseAway = false;
  /** Other kinds are left out; null: none is. */
  only: readonly string[] | null = null;
  /** So many statements come before the database is restarted; null: it is not. */
  private untilRestart: number | null = null;
  readonly counts = new Map<string, number>();
  private readonly kinds: readonly StepFault[];

  constructor(
    private readonly random: Random,
    private readonly database: SimulatedDatabase,
    private readonly level: FaultLevel,
    private readonly killed: (process: Mortal) => Promise<void>,
  ) {
    this.kinds = (Object.keys(KINDS) as StepFault[]).flatMap((kind) =>
      Array<StepFault>(KINDS[kind]).fill(kind),
    );
  }

  get isAtWork(): boolean {
    return !this.isQuiet && this.level !== 'none';
  }

  /** Ends all connections at once, after so many statements. */
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
    const isHit = this.random.chance(A_MILLION[this.level] / 1e6);
    const kind = this.random.oneOf(this.kinds);
    if (!isHit || this.isQuiet || this.only?.includes(kind) === false) return 'none';
    if (kind.startsWith('killed') && step.process.isSafe) return 'none';
    const state = STATES[kind];
    if (state !== undefined && !isStatement) return 'none';
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (state === undefined) return kind as Fate;
    return { fails: (at) => (at as StatementStep).instead(`SELECT simulated.fail('${state}')`) };
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
