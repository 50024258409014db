import type { MinedAttempt } from './sending.js';

/** What one endpoint says of a nonce, the counts asked before the receipts. */
export interface EndpointView {
  /** Transactions of the account up to the newest block. */
  readonly latestCount: number;
  /** Transactions of the account up to the newest block that is final. */
  readonly finalCount: number;
  /** Of the attempts, in canonical blocks; at most one can be. */
  readonly receipt: MinedAttempt | null;
}

export type FateOnChain =
  | { readonly kind: 'none' }
  | { readonly kind: 'mined' | 'final'; readonly receipt: MinedAttempt }
  | { readonly kind: 'foreign' };

/**
 * What has become of a nonce. A receipt is final where every endpoint whose final block used the nonce shows it. That
 * another's transaction used the nonce is believed only where every endpoint answered to every question, and none that
 * shows a receipt is left: who believes it too early sends the same call twice.
 * @param views of all endpoints of the network; null for each that did not answer
 */
export function fateOnChain(nonce: number, views: readonly (EndpointView | null)[]): FateOnChain {
  const answered = views.filter((view) => view !== null);
  const settled = answered.filter(({ finalCount }) => finalCount > nonce);
  // One that is on another fork may show another attempt, or another outcome: the final chain's receipt counts first.
  const receipt = [...settled, ...answered].find((view) => view.receipt !== null)?.receipt ?? null;
  if (receipt !== null) {
    const agrees = settled.every((view) => isSameReceipt(view.receipt, receipt));
    return { kind: settled.length > 0 && agrees ? 'final' : 'mined', receipt };
  }
  const isForeign = views.length > 0 && settled.length === views.length;
  return { kind: isForeign ? 'foreign' : 'none' };
}

function isSameReceipt(one: MinedAttempt | null, other: MinedAttempt): boolean {
  const { hash, blockNumber, succeeded } = other;
  return one?.hash === hash && one.blockNumber === blockNumber && one.succeeded === succeeded;
}
