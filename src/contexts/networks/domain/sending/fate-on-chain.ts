import type { Fees } from './fees.js';
import type { MinedAttempt, PlannedCall } from './sending.js';

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
  /** Null where it is of a kind that the service never signs. */
  readonly signed: SignedCall | null;
}

/** A call in bytes that have the transaction's hash, signed by the account that is said to have sent it. */
export interface SignedCall {
  readonly call: PlannedCall;
  readonly fees: Fees;
  readonly raw: string;
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

/**
 * An attempt of the sending that is not stored any more, as the last one before the moment a database was restored to. Only
 * the sending's key signs under its nonce, and what a call does is its recipient, value and data; gas is only its price.
 */
export function isLostAttempt({ signed }: NonceUse, { to, value, data }: PlannedCall): boolean {
  return signed !== null && signed.call.to === to && signed.call.value === value && signed.call.data === data;
}

function hasReached(finalNumber: number | null, { blockNumber }: MinedAttempt): boolean {
  return finalNumber !== null && finalNumber >= blockNumber;
}

function isSameReceipt(one: MinedAttempt | null, other: MinedAttempt): boolean {
  const { hash, blockNumber, succeeded } = other;
  return one?.hash === hash && one.blockNumber === blockNumber && one.succeeded === succeeded;
}
