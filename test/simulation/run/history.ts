import { createHash } from 'node:crypto';
import type { Difference, Model, Fact } from '../facts/fact.js';

export class DifferenceFound extends Error {
  constructor(
    readonly differences: readonly Difference[],
    readonly fact: Fact | null,
  ) {
    super(
      differences.map((one) => `${one.rule}: ${one.about}: ${one.expected}, not ${one.found}`).join('\n'),
    );
  }
}

const KEPT = 400;

export class History {
  readonly last: string[] = [];
  private readonly digests = createHash('sha256');
  private lines = 0;

  readonly differences: Difference[] = [];

  constructor(
    private readonly model: Model,
    private readonly goesOn: boolean,
    private readonly counts: (rule: string) => boolean,
    private readonly print: (line: string) => void,
  ) {}

  /** @throws DifferenceFound */
  fact(fact: Fact): void {
    this.line(JSON.stringify(fact));
    this.judge(this.model.take(fact), fact);
  }

  step(process: string, what: string, fate: string): void {
    this.line(`${process} ${fate === 'none' ? '' : `[${fate}] `}${what.replaceAll(/\s+/g, ' ').trim()}`);
  }

  /** @throws DifferenceFound for what should have happened by now */
  judgeRest(): void {
    this.judge(this.model.missing(), null);
  }

  get length(): number {
    return this.lines;
  }

  get digest(): string {
    return this.digests.copy().digest('hex');
  }

  /** @throws DifferenceFound */
  judge(found: readonly Difference[], fact: Fact | null): void {
    const differences = found.filter(({ rule }) => this.counts(rule));
    if (differences.length === 0) return;
    this.differences.push(...differences);
    if (!this.goesOn) throw new DifferenceFound(differences, fact);
    for (const difference of differences) this.print(`DIFFERENCE ${JSON.stringify(difference)}`);
  }

  private line(text: string): void {
    this.lines += 1;
    this.digests.update(text).update('\n');
    this.print(text);
    this.last.push(text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text);
    if (this.last.length > KEPT) this.last.shift();
  }
}
