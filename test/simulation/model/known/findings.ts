import type { Difference } from '../../facts/fact.js';

/** Rules that an act may explain whose answer has not come yet. */
const EXPLAINABLE = new Set([
  'a first answer is no replay',
  'every request was created by somebody',
  'every refund was created by somebody',
  'every webhook was created by somebody',
  'every account was created by somebody',
  'every subscription was created by somebody',
  'an asset is selected by somebody',
  'the asset that was chosen',
  'the asset that was chosen last is shown',
  'reading creates nothing',
  'expires_at',
  'the state of a webhook',
  'the payment options of a POS',
  'the type of a POS',
  'a payment link is active or not',
  'deliveries go to registered URLs',
  'deliveries go to active webhooks at their URL',
  'deliveries are signed by the secret',
  'a subscription is accepted by a wallet',
  'an offer expires where nobody accepts it',
  'a subscription is revoked by somebody, or after three charges',
  'a subscription is revoked by somebody',
  'a POS lists all of its requests',
  'a payer finds the session of the cookie again',
  'deactivating a webhook ends what waits',
]);

export type Compared = readonly [expected: unknown, found: unknown];

export class Findings {
  readonly suspicions = new Suspicions();
  context: Context | undefined;
  private found: Difference[] = [];

  /** @param isExcused says that the faults of the history explain a difference */
  constructor(private readonly isExcused: (difference: Difference) => boolean = () => false) {}

  differ(rule: string, about: string, [expected, found]: Compared): void {
    const difference = { rule, about, expected: words(expected), found: words(found) };
    if (this.isExcused(difference)) return;
    if (EXPLAINABLE.has(rule)) this.suspect(difference);
    else this.found.push(difference);
  }

  /** Says that something is so, unless it is. @returns whether it is */
  expect(is: boolean, rule: string, about: string, compared: Compared): boolean {
    if (!is) this.differ(rule, about, compared);
    return is;
  }

  /** Says that something is what it is expected to be, unless it is. */
  equal(rule: string, about: string, compared: Compared): boolean {
    return this.expect(compared[0] === compared[1], rule, about, compared);
  }

  /** A difference that an act under way, or the change of a credential, may explain. */
  suspect(difference: Difference): void {
    const { context } = this;
    if (context === undefined) {
      this.found.push(difference);
      return;
    }
    const id = difference.about.slice(difference.about.lastIndexOf(' ') + 1);
    this.suspicions.add({ at: context.at, keys: [...context.keys, id] }, difference);
  }

  take(): readonly Difference[] {
    if (this.found.length === 0) return NONE;
    const found = this.found;
    this.found = [];
    return found;
  }
}

const NONE: readonly Difference[] = [];

export function words(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? part.toString() : part,
  );
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

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

  pass(now: number): readonly Difference[] {
    if (this.waiting.length === 0 || this.waiting[0]!.at + PATIENCE >= now) return NONE;
    const late = this.waiting.filter(({ at }) => at + PATIENCE < now);
    this.waiting = this.waiting.filter(({ at }) => at + PATIENCE >= now);
    return late.map(({ difference }) => difference);
  }

  all(): readonly Difference[] {
    return this.waiting.splice(0).map(({ difference }) => difference);
  }
}
