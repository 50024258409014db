import type { Difference } from '../../facts/difference.js';

/** How long after what it explains the fact of an exchange, or of a change of a credential, may follow. */
const PATIENCE = 120_000;

/** The judged fact: when it was, and the ids that it is about. */
export interface Context {
  readonly at: number;
  readonly keys: readonly string[];
}

interface Suspicion extends Context {
  readonly difference: Difference;
}

/**
 * Differences that an act explains which was still under way: what it did is seen before its answer is. They are reported once no
 * such act can follow.
 */
export class Suspicions {
  private waiting: Suspicion[] = [];

  add(context: Context, difference: Difference): void {
    this.waiting.push({ ...context, difference });
  }

  /** An act on some objects was sent at a moment: it explains what was seen of them from then on. */
  explain(keys: ReadonlySet<string>, sentAt: number): void {
    if (this.waiting.length === 0) return;
    this.waiting = this.waiting.filter((each) => each.at < sentAt || !each.keys.some((key) => keys.has(key)));
  }

  /** @returns what nothing explained in time */
  pass(now: number): readonly Difference[] {
    if (this.waiting.length === 0 || this.waiting[0]!.at + PATIENCE >= now) return NONE;
    const late = this.waiting.filter(({ at }) => at + PATIENCE < now);
    this.waiting = this.waiting.filter(({ at }) => at + PATIENCE >= now);
    return late.map(({ difference }) => difference);
  }

  /** @returns everything that nothing explained yet */
  all(): readonly Difference[] {
    return this.waiting.splice(0).map(({ difference }) => difference);
  }
}

const NONE: readonly Difference[] = [];
