import {
  cancellingCall,
  type MinedAttempt,
  type PlannedCall,
  type OutboundTransaction,
} from './outbound-transaction.js';
import type { GasFees } from './gas-fees.js';

export interface EndpointReceipt extends MinedAttempt {
  readonly blockHash: string;
  readonly parentHash: string;
}

/** The counts are requested before the receipts. */
export interface EndpointNonceObservation {
  readonly endpoint: string;
  readonly latestCount: number;
  readonly head: number;
  /** Null if no block is final yet. */
  readonly finalNumber: number | null;
  readonly receipt: EndpointReceipt | null;
  /**
   * Only on chains without nonces. `passed`: a final block proves that no block can include the newest attempt, and none
   * did.
   */
  readonly expiry?: 'pending' | 'passed';
}

/** An endpoint that did not answer, or whose answer cannot be true. */
export interface UnresponsiveEndpoint {
  readonly endpoint: string;
  readonly silence: string;
}

export interface NonceUse {
  readonly hash: string;
  readonly blockNumber: number;
  /** Null if the service never signs transactions of this kind. */
  readonly signed: SignedCall | null;
}

/** Decoded from bytes that match the transaction hash and are signed by the reported sender. */
export interface SignedCall {
  readonly call: PlannedCall;
  readonly fees: GasFees;
  readonly raw: string;
}

/**
 * `used`: every endpoint counts a transaction with the nonce, which proves nothing. `mined`: one endpoint shows a
 * receipt, which may be false, so no decision about money may depend on it.
 */
export type OnChainStatus =
  | { readonly kind: 'none' | 'used' }
  | {
      readonly kind: 'mined';
      readonly receipt: MinedAttempt;
      /** True if every endpoint shows the same receipt for the nonce. */
      readonly isAgreed: boolean;
      /** Sentences about endpoints that prevent finality because they report less than the others. */
      readonly doubts: readonly string[];
    }
  | { readonly kind: 'final'; readonly receipt: MinedAttempt };

/**
 * A receipt is final if every endpoint shows it in the same block and considers the block final. A silent or
 * differing endpoint delays finality.
 */
export function findOnChainStatus(
  nonce: number,
  views: readonly (EndpointNonceObservation | UnresponsiveEndpoint)[],
): OnChainStatus {
  const answered = views.filter(hasAnswered);
  const receipts = answered.flatMap(({ receipt }) => receipt ?? []);
  const [first] = receipts;
  if (first === undefined) {
    const isUsed = answered.length > 0 && answered.length === views.length;
    return { kind: isUsed && answered.every(({ latestCount }) => latestCount > nonce) ? 'used' : 'none' };
  }
  const supporters = (one: EndpointReceipt) => receipts.filter((other) => isSameReceipt(one, other)).length;
  const most = receipts.reduce((best, each) => (supporters(each) > supporters(best) ? each : best), first);
  const isAgreed = supporters(most) === views.length;
  if (isAgreed && answered.every(({ finalNumber }) => hasReached(finalNumber, most))) {
    const isPriced = receipts.every(({ gasCost }) => gasCost !== null);
    return { kind: 'final', receipt: { ...most, gasCost: isPriced ? most.gasCost : null } };
  }
  // The cost is stored only when all endpoints agree on it.
  return { kind: 'mined', receipt: { ...most, gasCost: null }, isAgreed, doubts: doubtsOf(most, views) };
}

export function hasAnswered(
  view: EndpointNonceObservation | UnresponsiveEndpoint,
): view is EndpointNonceObservation {
  return 'head' in view;
}

/** True if every endpoint proves that no block has the newest attempt, and that none can have it. */
export function hasExpired(views: readonly (EndpointNonceObservation | UnresponsiveEndpoint)[]): boolean {
  return (
    views.length > 0 &&
    views.every((view) => hasAnswered(view) && view.receipt === null && view.expiry === 'passed')
  );
}

/** A missing receipt is no proof, and a wrong conclusion would send the same call twice. */
export function isUsedByOtherTransaction(use: NonceUse | null, attempts: readonly string[]): use is NonceUse {
  return use !== null && !attempts.includes(use.hash);
}

/** Recognizes an attempt missing in the database, for example one signed just before a backup was restored. */
export function matchUnrecordedAttempt(
  { signed }: NonceUse,
  { call, sender }: Pick<OutboundTransaction, 'call' | 'sender'>,
): 'calls' | 'cancels' | null {
  if (signed === null) return null;
  if (isSameEffect(signed.call, call)) return 'calls';
  return isSameEffect(signed.call, cancellingCall(sender, 0n)) ? 'cancels' : null;
}

/** Gas affects only the price. */
export function isSameEffect(one: PlannedCall, other: PlannedCall): boolean {
  return one.to === other.to && one.value === other.value && one.data === other.data;
}

function doubtsOf(
  receipt: EndpointReceipt,
  views: readonly (EndpointNonceObservation | UnresponsiveEndpoint)[],
): string[] {
  const isFinalAt = (view: EndpointNonceObservation) => hasReached(view.finalNumber, receipt);
  const isFinalSomewhere = views.some((view) => hasAnswered(view) && isFinalAt(view));
  return views.flatMap((view) => {
    const doubt = (what: string) => [`${view.endpoint} ${what}`];
    if (!hasAnswered(view)) return doubt(`does not respond correctly: ${view.silence}`);
    if (view.receipt === null) return doubt(`shows no receipt of ${receipt.hash}`);
    if (!isSameReceipt(view.receipt, receipt))
      return doubt(`shows another receipt: ${doubtSentenceOf(view.receipt)}`);
    return isFinalSomewhere && !isFinalAt(view)
      ? doubt(`does not report block ${receipt.blockNumber} as final yet`)
      : [];
  });
}

function doubtSentenceOf({ hash, blockNumber, blockHash, succeeded, gasCost }: EndpointReceipt): string {
  const outcome = succeeded ? 'succeeded' : 'failed';
  return `${hash} ${outcome} in block ${blockNumber} (${blockHash}) and cost ${gasCost ?? 'an unknown amount of'} wei`;
}

function hasReached(finalNumber: number | null, { blockNumber }: MinedAttempt): boolean {
  return finalNumber !== null && finalNumber >= blockNumber;
}

function isSameReceipt(one: EndpointReceipt, other: EndpointReceipt): boolean {
  return (
    one.hash === other.hash &&
    one.blockNumber === other.blockNumber &&
    one.blockHash === other.blockHash &&
    one.parentHash === other.parentHash &&
    one.succeeded === other.succeeded &&
    // Some nodes report no price, which equals any price.
    (one.gasCost === other.gasCost || one.gasCost === null || other.gasCost === null)
  );
}
