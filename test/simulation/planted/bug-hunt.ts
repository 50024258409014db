import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultLevel } from '../faults/faults.js';
import type { RunReport } from '../run/run-order.js';
import { KilledFromOutside, type Runs } from '../run/runs.js';
import { plantBug } from './plant-bug.js';
import type { PlantedBug } from './planted-bug.js';
import { PLANTED_BUGS } from './planted-bugs.js';
import { unreached } from './reached.js';

/** Each run draws acts and faults for so many days. */
export const DAYS = 2;

/** The sound code differs by these rules in the run of a seed, which never comes to what these bugs change. */
interface SoundRun {
  readonly rules: readonly string[];
  readonly unreached: readonly string[];
}

/** The run of the sound code for each seed; null: it fails. */
export type SoundRuns = Record<string, SoundRun | null>;

/** A bug is looked for in runs like this. */
interface Looks {
  readonly seeds: readonly number[];
  readonly merchants: number;
  readonly actsADay: number;
  readonly faults: FaultLevel;
}

/** Runs seeds with a planted bug until one differs in a way in which none of the sound code does. */
export class BugHunt {
  private planted = 0;

  constructor(
    private readonly runs: Runs,
    private readonly project: string,
    private readonly looks: Looks,
    readonly sound: SoundRuns,
  ) {}

  get forgiven(): ReadonlySet<string> {
    return new Set(Object.values(this.sound).flatMap((run) => run?.rules ?? []));
  }

  /** Runs the sound code for all seeds that are not known yet. */
  async learnSound(atOnce: number): Promise<void> {
    const left = this.looks.seeds.filter((seed) => this.sound[seed] === undefined);
    const learn = async () => {
      for (let seed = left.shift(); seed !== undefined; seed = left.shift())
        this.sound[seed] = await this.soundRun(seed);
    };
    await Promise.all(Array.from({ length: atOnce }, learn));
  }

  /** @returns in words, after how much it is found, and by what */
  async find(bug: PlantedBug): Promise<string> {
    const root = join(this.runs.folder, `planted-${(this.planted += 1)}`);
    plantBug(this.project, bug, root);
    const { seeds, merchants } = this.looks;
    let merchantDays = 0;
    let reached = 0;
    try {
      for (const seed of seeds) {
        const sound = this.sound[seed];
        if (!sound) continue;
        if (sound.unreached.includes(bug.name)) {
          merchantDays += DAYS * merchants;
          continue;
        }
        const report = await this.run(seed, root, false);
        reached += 1;
        merchantDays += Math.ceil(Math.min(report.days, DAYS) * merchants);
        const rule = report.differences[0]?.rule ?? report.failure?.split('\n')[0];
        if (rule !== undefined) return `found after ${merchantDays} merchant-days at seed ${seed} by ${rule}`;
      }
      return `not found in ${merchantDays} merchant-days; ${reached} runs come to what it changes`;
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }

  private async soundRun(seed: number): Promise<SoundRun | null> {
    const covered = mkdtempSync(join(this.runs.folder, 'covered-'));
    const { failure, differences } = await this.run(seed, this.project, true, { NODE_V8_COVERAGE: covered });
    if (failure !== null) process.stderr.write(`The sound code fails at seed ${seed}: ${failure}\n`);
    else {
      const rules = [...new Set(differences.map(({ rule }) => rule))];
      const names = unreached(this.project, covered, PLANTED_BUGS).map(({ name }) => name);
      rmSync(covered, { recursive: true });
      return { rules, unreached: names };
    }
    return null;
  }

  /** A process that ends without a report failed too, unless somebody else ended it. */
  private async run(
    seed: number,
    root: string,
    goesOn: boolean,
    environment = {},
  ): Promise<RunReport | Ended> {
    const { faults, actsADay, merchants } = this.looks;
    const quiet = { isPrinted: false, isLogged: false };
    const forgiven = goesOn ? [] : [...this.forgiven];
    const asked = { seed, root, goesOn, forgiven, days: DAYS, merchants, actsADay, faults };
    try {
      return await this.runs.run({ ...asked, ...quiet }, environment);
    } catch (error) {
      if (error instanceof KilledFromOutside) return this.run(seed, root, goesOn, environment);
      return { failure: String(error), differences: [], days: 0 };
    }
  }
}

type Ended = Pick<RunReport, 'failure' | 'differences' | 'days'>;
