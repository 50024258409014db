import {
  cancellingCall,
  type MinedAttempt,
  type PlannedCall,
  type OutboundTransaction,
} from './outbound-transaction.js';
import type { Fees } from './fees.js';

/** The receipt of an attempt and the block that it is in, as one endpoint has them. */
export interface ShownReceipt extends MinedAttempt {
  readonly blockHash: string;
  readonly parentHash: string;
}

/** One endpoint's view of a nonce, the counts asked before the receipts. */
export interface NonceView {
  /** The endpoint's name, for people. */
  readonly endpoint: string;
  /** Transactions of the account up to the newest block. */
  readonly latestCount: number;
  /** The endpoint's newest block. */
  readonly head: number;
  /** The newest block that is final; null where there is none yet. */
  readonly finalNumber: number | null;
  /** The receipt of one of the attempts, in a canonical block; at most one can be. */
  readonly receipt: ShownReceipt | null;
}

/** An endpoint that did not answer, or whose answer cannot be true. */
export interface SilentEndpoint {
  readonly endpoint: string;
  /** Why, for people. */
  readonly silence: string;
}

/** The transaction that used a nonce. */
export interface NonceUse {
  readonly hash: string;
  readonly blockNumber: number;
  /** Null where it is of a kind that the service never signs. */
  readonly signed: SignedCall | null;
}

/** A call in bytes that have the transaction's hash, signed by the account that nodes name as its sender. */
export interface SignedCall {
  readonly call: PlannedCall;
  readonly fees: Fees;
  readonly raw: string;
}

/**
 * `used`: every endpoint counts a transaction with this nonce, and none shows a receipt of ours. Nothing is proven by that.
 * `mined`: an endpoint shows a receipt, which may be a lie: it decides nothing that costs money.
 */
export type FateOnChain =
  | { readonly kind: 'none' | 'used' }
  | {
      readonly kind: 'mined';
      readonly receipt: MinedAttempt;
      /** True where every endpoint shows the same receipt. */
      readonly isAgreed: boolean;
      /** Sentences on endpoints that keep it from being final while others show more. */
      readonly doubts: readonly string[];
    }
  | { readonly kind: 'final'; readonly receipt: MinedAttempt };

/**
 * Judges what has become of a nonce. A receipt is final where every endpoint shows the same one in the same block, and that
 * block is final to each by its own finality: one that is silent or differs holds it back, and none decides for another. How
 * many transactions the account had then is not asked, since nodes forget it.
 * @param views of all endpoints of the network
 */
export function fateOnChain(nonce: number, views: readonly (NonceView | SilentEndpoint)[]): FateOnChain {
  const answered = views.filter(hasAnswered);
  const receipts = answered.flatMap(({ receipt }) => receipt ?? []);
  const [first] = receipts;
  if (first === undefined) {
    const isUsed = answered.length > 0 && answered.length === views.length;
    return { kind: isUsed && answered.every(({ latestCount }) => latestCount > nonce) ? 'used' : 'none' };
  }
  const supporters = (one: ShownReceipt) => receipts.filter((other) => isSameReceipt(one, other)).length;
  const most = receipts.reduce((best, each) => (supporters(each) > supporters(best) ? each : best), first);
  const isAgreed = supporters(most) === views.length;
  if (isAgreed && answered.every(({ finalNumber }) => hasReached(finalNumber, most))) {
    const isPriced = receipts.every(({ gasCost }) => gasCost !== null);
    return { kind: 'final', receipt: { ...most, gasCost: isPriced ? most.gasCost : null } };
  }
  // A cost is stored once all endpoints name it.
  return { kind: 'mined', receipt: { ...most, gasCost: null }, isAgreed, doubts: doubtsOf(most, views) };
}

export function hasAnswered(view: NonceView | SilentEndpoint): view is NonceView {
  return 'head' in view;
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
 * Recognises an attempt of the outbound transaction that is not stored any more, as the last one before the moment a database was
 * restored to. Only the outbound transaction's key signs under its nonce.
 * @returns null where the transaction is no attempt of it
 */
export function lostAttemptOf(
  { signed }: NonceUse,
  { call, sender }: Pick<OutboundTransaction, 'call' | 'sender'>,
): 'calls' | 'cancels' | null {
  if (signed === null) return null;
  if (isSameEffect(signed.call, call)) return 'calls';
  return isSameEffect(signed.call, cancellingCall(sender, 0n)) ? 'cancels' : null;
}

/** The effect of a call is its recipient, value and data; gas is only its price. */
export function isSameEffect(one: PlannedCall, other: PlannedCall): boolean {
  return one.to === other.to && one.value === other.value && one.data === other.data;
}

function doubtsOf(receipt: ShownReceipt, views: readonly (NonceView | SilentEndpoint)[]): string[] {
  const isFinalAt = (view: NonceView) => hasReached(view.finalNumber, receipt);
  const isFinalSomewhere = views.some((view) => hasAnswered(view) && isFinalAt(view));
  return views.flatMap((view) => {
    const doubt = (what: string) => [`${view.endpoint} ${what}`];
    if (!hasAnswered(view)) return doubt(`does not respond correctly: ${view.silence}`);
    if (view.receipt === null) return doubt(`shows no receipt of ${receipt.hash}`);
    if (!isSameReceipt(view.receipt, receipt))
      return doubt(`shows another receipt: ${sentenceOf(view.receipt)}`);
    return isFinalSomewhere && !isFinalAt(view)
      ? doubt(`does not report block ${receipt.blockNumber} as final yet`)
      : [];
  });
}

function sentenceOf({ hash, blockNumber, blockHash, succeeded, gasCost }: ShownReceipt): string {
  const outcome = succeeded ? 'succeeded' : 'failed';
  return `${hash} ${outcome} in block ${blockNumber} (${blockHash}) and cost ${gasCost ?? 'an unknown amount of'} wei`;
}

function hasReached(finalNumber: number | null, { blockNumber }: MinedAttempt): boolean {
  return finalNumber !== null && finalNumber >= blockNumber;
}

function isSameReceipt(one: ShownReceipt, other: ShownReceipt): boolean {
  return (
    one.hash === other.hash &&
    one.blockNumber === other.blockNumber &&
    one.blockHash === other.blockHash &&
    one.parentHash === other.parentHash &&
    one.succeeded === other.succeeded &&
    // Some nodes name no price; two prices are two receipts.
    (one.gasCost === other.gasCost || one.gasCost === null || other.gasCost === null)
  );
}
