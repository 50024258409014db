import {
  mkdtempSync,
  rmSync,
  cpSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  readdirSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Mutant, mutate, transpiled } from '../../mutants/mutants.js';
import type { FaultLevel } from '../faults/faults.js';
import type { RunReport } from '../run/asked-run.js';
import { KilledFromOutside, type Runs } from '../run/runs.js';
import { pathToFileURL } from 'node:url';

export const DAYS = 2;

/** The unchanged code with one seed: the rules that fail, and the mutants whose lines it does not execute. */
interface SoundRun {
  readonly rules: readonly string[];
  readonly unreached: readonly string[];
}

export type SoundRuns = Record<string, SoundRun | null>;

interface HuntSettings {
  readonly seeds: readonly number[];
  readonly merchants: number;
  readonly actsADay: number;
  readonly faults: FaultLevel;
}

export class MutantHunt {
  private copies = 0;

  constructor(
    private readonly runs: Runs,
    private readonly project: string,
    private readonly mutants: readonly Mutant[],
    private readonly settings: HuntSettings,
    readonly sound: SoundRuns,
  ) {}

  get forgiven(): ReadonlySet<string> {
    return new Set(Object.values(this.sound).flatMap((run) => run?.rules ?? []));
  }

  async learnSound(atOnce: number): Promise<void> {
    const left = this.settings.seeds.filter((seed) => this.sound[seed] === undefined);
    const learn = async () => {
      for (let seed = left.shift(); seed !== undefined; seed = left.shift())
        this.sound[seed] = await this.soundRun(seed);
    };
    await Promise.all(Array.from({ length: atOnce }, learn));
  }

  /** @returns in words, after how many merchant-days it is found, and by which rule */
  async find(mutant: Mutant): Promise<string> {
    const root = join(this.runs.folder, `mutant-${(this.copies += 1)}`);
    copyWithMutant(this.project, mutant, root);
    const { seeds, merchants } = this.settings;
    let merchantDays = 0;
    let reached = 0;
    try {
      for (const seed of seeds) {
        const sound = this.sound[seed];
        if (!sound) continue;
        if (sound.unreached.includes(mutant.name)) {
          merchantDays += DAYS * merchants;
          continue;
        }
        const report = await this.run(seed, root, false);
        reached += 1;
        merchantDays += Math.ceil(Math.min(report.days, DAYS) * merchants);
        const rule = report.differences[0]?.rule ?? report.failure?.split('\n')[0];
        if (rule !== undefined) return `found after ${merchantDays} merchant-days at seed ${seed} by ${rule}`;
      }
      return `not found in ${merchantDays} merchant-days; ${reached} runs executed its lines`;
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }

  private async soundRun(seed: number): Promise<SoundRun | null> {
    const covered = mkdtempSync(join(this.runs.folder, 'covered-'));
    const { failure, differences } = await this.run(seed, this.project, true, { NODE_V8_COVERAGE: covered });
    if (failure !== null) process.stderr.write(`The unchanged code fails at seed ${seed}: ${failure}\n`);
    else {
      const rules = [...new Set(differences.map(({ rule }) => rule))];
      const names = unreached(this.project, covered, this.mutants).map(({ name }) => name);
      rmSync(covered, { recursive: true });
      return { rules, unreached: names };
    }
    return null;
  }

  /** A process that ends without a report failed, unless it was killed from outside. */
  private async run(
    seed: number,
    root: string,
    goesOn: boolean,
    environment = {},
  ): Promise<RunReport | Ended> {
    const { faults, actsADay, merchants } = this.settings;
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

/** The sources find these beside `src`. Packages are the same instances as those of the project. */
const BESIDE = ['node_modules', 'migrations', 'package.json', 'solidity', 'docs', 'openapi'];

/**
 * Copies the sources of the service with one mutant in them.
 * @param into a new folder outside of the project: everything in it is run as the project's own
 */
export function copyWithMutant(project: string, mutant: Mutant, into: string): void {
  const source = mutatedSource(project, mutant);
  mkdirSync(into, { recursive: true });
  cpSync(join(project, 'src'), join(into, 'src'), { recursive: true });
  writeFileSync(join(into, mutant.file), source);
  for (const name of BESIDE) symlinkSync(join(project, name), join(into, name));
}

/** @throws if the mutant does not apply once */
export function mutatedSource(project: string, mutant: Mutant): string {
  return mutate(readFileSync(join(project, mutant.file), 'utf8'), mutant);
}

/** V8 writes this of a process: how often each part of each function ran. Parts lie within each other. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Part[] }[];
  }[];
}

interface Part {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/**
 * Finds the mutants whose changed lines a run did not execute: with them, the run is the same.
 * @param folder with V8's coverage of the unchanged code
 */
export function unreached(project: string, folder: string, mutants: readonly Mutant[]): readonly Mutant[] {
  const parts = new Map<string, Part[]>();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage;
    for (const { url, functions } of result)
      parts.set(url, [...(parts.get(url) ?? []), ...functions.flatMap(({ ranges }) => ranges)]);
  }
  return mutants.filter((mutant) => {
    const file = join(project, mutant.file);
    const place = firstChange(mutant, readFileSync(file, 'utf8'), mutatedSource(project, mutant));
    const around = (parts.get(pathToFileURL(file).href) ?? []).filter(
      // What begins with the change itself runs or not because of it.
      ({ startOffset, endOffset }) => startOffset < place && place < endOffset,
    );
    around.sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
    return (around[0]?.count ?? 0) === 0;
  });
}

function firstChange(mutant: Mutant, original: string, mutated: string): number {
  const [before, after] = [transpiled(mutant, original), transpiled(mutant, mutated)];
  let place = 0;
  while (place < before.length && before[place] === after[place]) place += 1;
  return place;
}
