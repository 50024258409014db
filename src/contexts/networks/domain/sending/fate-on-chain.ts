import type { MinedAttempt } from './sending.js';

/** What one endpoint says of a nonce, the counts asked before the receipts. */
export interface EndpointView {
  /** Transactions of the account up to the newest block. */
  readonly latestCount: number;
  /** The newest block that is final; null where there is none yet. */
  readonly finalNumber: number | null;
  /** Of the attempts, in canonical blocks; at most one can be. */
  readonly receipt: MinedAttempt | null;
}

/** The transaction that used a nonce. */
export interface NonceUse {
  readonly hash: string;
  readonly blockNumber: number;
}

/** `used`: every endpoint counts a transaction with this nonce, and none shows a receipt of ours. Nothing is proven by that. */
export type FateOnChain =
  { readonly kind: 'none' | 'used' } | { readonly kind: 'mined' | 'final'; readonly receipt: MinedAttempt };

/**
 * What has become of a nonce. A receipt is final where every endpoint whose final block is that far shows it; how many
 * transactions the account had then is not asked, since nodes forget it.
 * @param views of all endpoints of the network; null for each that did not answer
 */
export function fateOnChain(nonce: number, views: readonly (EndpointView | null)[]): FateOnChain {
  const answered = views.filter((view) => view !== null);
  const shown = answered.flatMap(({ receipt, finalNumber }) =>
    receipt === null ? [] : [{ receipt, isFinal: hasReached(finalNumber, receipt) }],
  );
  // One that is on another fork may show another attempt, or another outcome: the final chain's receipt counts first.
  const { receipt } = shown.find(({ isFinal }) => isFinal) ?? shown[0] ?? { receipt: null };
  if (receipt === null) {
    const isUsed = answered.length > 0 && answered.length === views.length;
    return { kind: isUsed && answered.every(({ latestCount }) => latestCount > nonce) ? 'used' : 'none' };
  }
  const reached = answered.filter(({ finalNumber }) => hasReached(finalNumber, receipt));
  const agrees = reached.every((view) => isSameReceipt(view.receipt, receipt));
  return { kind: reached.length > 0 && agrees ? 'final' : 'mined', receipt };
}

/**
 * That another's transaction has the nonce for good is believed only where that transaction is known: who believes it too
 * early sends the same call twice, and a receipt may be missing because a node keeps none that are so old.
 * @param use as every endpoint shows it in a final block; null where any does not @param attempts hashes of ours
 */
export function isForeign(use: NonceUse | null, attempts: readonly string[]): use is NonceUse {
  return use !== null && !attempts.includes(use.hash);
}

function hasReached(finalNumber: number | null, { blockNumber }: MinedAttempt): boolean {
  return finalNumber !== null && finalNumber >= blockNumber;
}

function isSameReceipt(one: MinedAttempt | null, other: MinedAttempt): boolean {
  const { hash, blockNumber, succeeded } = other;
  return one?.hash === hash && one.blockNumber === blockNumber && one.succeeded === succeeded;
}
