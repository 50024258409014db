import type { Difference } from '../../facts/difference.js';
import { type Context, Suspicions } from './suspicions.js';

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

/** The differences of the fact that is being judged. */
export class Findings {
  readonly suspicions = new Suspicions();
  /** The fact that is being judged. */
  context: Context | undefined;
  private found: Difference[] = [];

  /** @param isExcused says that the faults of the history explain a difference */
  constructor(private readonly isExcused: (difference: Difference) => boolean = () => false) {}

  differ(rule: string, about: string, expected: unknown, found: unknown): void {
    const difference = { rule, about, expected: words(expected), found: words(found) };
    if (this.isExcused(difference)) return;
    if (EXPLAINABLE.has(rule)) this.suspect(difference);
    else this.found.push(difference);
  }

  /** Says that something is so, unless it is. @returns whether it is */
  expect(is: boolean, rule: string, about: string, expected: unknown, found: unknown): boolean {
    if (!is) this.differ(rule, about, expected, found);
    return is;
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
