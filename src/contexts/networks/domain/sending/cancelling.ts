import type { MinedAttempt, PlannedCall, SendingState } from './sending.js';

/** A transaction of the key to itself, which moves nothing and uses the nonce up. @param gasLimit as the chain estimates it */
export function cancellingCall(sender: string, gasLimit: bigint): PlannedCall {
  return { to: sender, data: '0x', value: 0n, gasLimit };
}

interface Ended {
  readonly state: SendingState;
  readonly mined: MinedAttempt;
}

/**
 * The end of a sending by the receipt of one of its attempts: whichever is mined decides.
 * @param cancelling hashes of the attempts that cancel
 */
export function endedBy(receipt: MinedAttempt, isFinal: boolean, cancelling: readonly string[]): Ended {
  const cancels = cancelling.includes(receipt.hash);
  const mined = cancels ? { ...receipt, succeeded: false } : receipt;
  if (!isFinal) return { state: 'mined', mined };
  if (cancels) return { state: 'cancelled', mined };
  return { state: receipt.succeeded ? 'final' : 'reverted', mined };
}
