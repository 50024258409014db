/**
 * The state of a call from one of the service's keys.
 * - `signed`: its bytes are stored.
 * - `broadcast`: they were sent to an endpoint.
 * - `mined`: an endpoint at least shows it in a block, which may still disappear.
 * - `final`, `reverted`: to every endpoint that block is final, and the call succeeded or failed.
 * - `foreign`: another transaction used the nonce for good, or the nonce was released for another call before anything was
 *   signed for it. This call will never be executed.
 * - `cancelled`: a cancelling attempt of ours used the nonce for good. This call will never be executed.
 */
export type OutboundState =
  'reserved' | 'signed' | 'broadcast' | 'mined' | 'final' | 'reverted' | 'foreign' | 'cancelled';

/**
 * A bump leads back to `signed`, a receipt that a reorganisation dropped back to `broadcast`. What was never signed is `foreign`
 * at once where another transaction used its nonce, or where it was released.
 */
const NEXT: Readonly<Record<OutboundState, readonly OutboundState[]>> = {
  reserved: ['reserved', 'signed', 'foreign'],
  signed: ['signed', 'broadcast'],
  broadcast: ['broadcast', 'signed', 'mined', 'final', 'reverted', 'foreign', 'cancelled'],
  mined: ['mined', 'broadcast', 'signed', 'final', 'reverted', 'foreign', 'cancelled'],
  final: [],
  reverted: [],
  foreign: [],
  cancelled: [],
};

export const SENDING_STATES = Object.keys(NEXT) as OutboundState[];

export function mayBecome(from: OutboundState, to: OutboundState): boolean {
  return NEXT[from].includes(to);
}

export function isFinished(state: OutboundState): boolean {
  return NEXT[state].length === 0;
}

/** Why a call is sent. */
export type OutboundPurpose =
  'factory_deployment' | 'settlement' | 'authorized_transfer' | 'refund' | 'float_withdrawal';

/**
 * The call that is executed; the same in every attempt that does not cancel. Addresses in lower case; amounts in the
 * smallest unit.
 */
export interface PlannedCall {
  readonly to: string;
  /** Hex with `0x`. */
  readonly data: string;
  readonly value: bigint;
  readonly gasLimit: bigint;
}

/** The receipt of one of the attempts, as the chain has it now. */
export interface MinedAttempt {
  readonly hash: string;
  readonly blockNumber: number;
  /** True where the call had its effect: never by an attempt that cancels. */
  readonly succeeded: boolean;
  /** Gas, data and operator, in the smallest unit; null before it is final, and where a receipt says no price. */
  readonly gasCost: bigint | null;
}

export interface OutboundTransaction {
  readonly id: string;
  readonly network: string;
  /** The key's address, in lower case. */
  readonly sender: string;
  /** The key's name. */
  readonly key: string;
  readonly nonce: number;
  readonly call: PlannedCall;
  /** The most that an attempt may offer for one unit of gas. */
  readonly feeCeiling: bigint;
  /** `unknown` where the operator has accepted a transaction on the chain that nobody ordered. */
  readonly purpose: OutboundPurpose | 'unknown';
  readonly state: OutboundState;
  /** How many are stored. */
  readonly attempts: number;
  /** Present from `mined` on. */
  readonly mined: MinedAttempt | null;
  /**
   * Responses of endpoints to the newest broadcast, and which endpoints do not show the receipt; for a reserved one the
   * reason why it is not signed. Null before all of these.
   */
  readonly response: string | null;
  readonly createdAt: Date;
}

/** A transaction of the key to itself, which moves nothing and uses the nonce up. @param gasLimit as the chain estimates it */
export function cancellingCall(sender: string, gasLimit: bigint): PlannedCall {
  return { to: sender, data: '0x', value: 0n, gasLimit };
}

interface Ended {
  readonly state: OutboundState;
  readonly mined: MinedAttempt;
}

/**
 * The end of an outbound transaction by the receipt of one of its attempts: whichever is mined decides.
 * @param cancelling hashes of the attempts that cancel
 */
export function endedBy(receipt: MinedAttempt, isFinal: boolean, cancelling: readonly string[]): Ended {
  const cancels = cancelling.includes(receipt.hash);
  const mined = cancels ? { ...receipt, succeeded: false } : receipt;
  if (!isFinal) return { state: 'mined', mined };
  if (cancels) return { state: 'cancelled', mined };
  return { state: receipt.succeeded ? 'final' : 'reverted', mined };
}
