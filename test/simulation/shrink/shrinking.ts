import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DrawnAct } from '../run/days.js';
import { isDifferent, type RunReport } from '../run/asked-run.js';
import type { Asked, Runs } from '../run/runs.js';
import { AboutObject } from './about-object.js';

const LEAST_DAYS = 0.05;

/** Looks for the shortest run that still shows what the first one showed: with fewer days, faults and acts. */
export class Shrinking {
  private runsLeft: number;
  private readonly tried = new Set<string>();
  private best: Asked;

  /**
   * @param different has a file for its history
   * @param report says that it differs
   */
  constructor(
    private readonly runs: Pick<Runs, 'run' | 'folder'>,
    different: Asked,
    public report: RunReport,
    private readonly mostRuns: number,
    private readonly say: (line: string) => void,
  ) {
    this.runsLeft = mostRuns;
    const [first] = report.differences;
    const quiet = { isPrinted: false, isLogged: false, goesOn: false };
    this.best = { ...different, ...quiet, ...(first && { onlyRule: first.rule }) };
    this.endWhereItShows();
  }

  get shortest(): Asked {
    return this.best;
  }

  async shrink(): Promise<void> {
    for (let before; before !== this.best;) {
      before = this.best;
      await this.shortenDays();
      await this.leaveOutFaults();
      await this.leaveOutActs();
    }
  }

  /** @returns what the history of the shortest has about the object of the difference; undefined where it is about none */
  get about(): AboutObject | undefined {
    const [first] = this.report.differences;
    const history = () => readFileSync(this.best.historyFile!, 'utf8').split('\n');
    return first && new AboutObject(history(), `${first.about} ${first.found}`);
  }

  /** Only where it shows in the rest, which days that come after it need not wait for. */
  private async shortenDays(): Promise<void> {
    const half = () => Math.round(this.best.days * 50) / 100;
    while (this.report.days > this.best.days && half() >= LEAST_DAYS)
      if (!(await this.differs({ days: half() }, `in ${half()} days`))) return;
  }

  private async leaveOutFaults(): Promise<void> {
    if (this.best.faults === 'none' || (await this.differs({ faults: 'none' }, 'without faults'))) return;
    await fewest(Object.keys(this.report.faults), (onlyFaults) =>
      this.differs({ onlyFaults }, `with only ${onlyFaults.join(', ')}`),
    );
  }

  private async leaveOutActs(): Promise<void> {
    const only = (acts: readonly DrawnAct[]) =>
      this.differs({ onlyActs: acts.map(({ number }) => number) }, `with ${acts.length} of its acts`);
    const done = () => this.report.acts.filter(({ isDone }) => isDone);
    const merchant = this.about?.merchant();
    if (done().some((act) => act.merchant !== merchant))
      await only(done().filter((act) => act.merchant === merchant));
    await fewest(done(), only);
  }

  private async differs(change: Partial<Asked>, how: string): Promise<boolean> {
    const asked = { ...this.best, ...change };
    const key = JSON.stringify({ ...asked, historyFile: null });
    if (this.runsLeft === 0 || this.tried.has(key)) return false;
    this.tried.add(key);
    this.runsLeft -= 1;
    const historyFile = join(this.runs.folder, `history-${this.runsLeft}`);
    const report = await this.runs.run({ ...asked, historyFile });
    const isSame = isDifferent(report) && symptom(report) === symptom(this.report);
    this.say(`run ${this.mostRuns - this.runsLeft}, ${how}: ${isSame ? 'the same' : 'not the same'}`);
    rmSync(isSame ? this.best.historyFile! : historyFile);
    if (!isSame) return false;
    this.best = { ...asked, historyFile };
    this.report = report;
    this.endWhereItShows();
    return true;
  }

  private endWhereItShows(): void {
    const days = Math.ceil(this.report.days * 100) / 100;
    if (days < this.best.days) this.best = { ...this.best, days };
  }
}

function symptom({ differences, failure }: RunReport): string | undefined {
  const [name, words] = failure?.split(/[:\n]/) ?? [];
  return differences[0]?.rule ?? (name === 'Stuck' ? name : words);
}

/**
 * Leaves out halves, quarters and so on down to single items, the last ones first, wherever the rest still does it.
 * @param items do it together
 * @returns items none of which could be left out when its turn came
 */
export async function fewest<T>(
  items: readonly T[],
  doesIt: (left: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = items;
  for (let size = Math.ceil(items.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let end = left.length; end > 0; end -= size) {
      const without = [...left.slice(0, Math.max(0, end - size)), ...left.slice(end)];
      if (await doesIt(without)) left = without;
    }
  return left;
}
