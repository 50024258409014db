/** `OutboundTransactionStatus.state` describes the states. */
export type OutboundState =
  'reserved' | 'signed' | 'broadcast' | 'mined' | 'final' | 'reverted' | 'foreign' | 'cancelled';

/**
 * A fee bump, or an expiration on chains without nonces, leads back to `signed`. A receipt dropped by a reorganization
 * leads back to `broadcast`.
 */
const NEXT_STATES: Readonly<Record<OutboundState, readonly OutboundState[]>> = {
  reserved: ['reserved', 'signed', 'foreign', 'cancelled'],
  signed: ['signed', 'broadcast'],
  broadcast: ['broadcast', 'signed', 'mined', 'final', 'reverted', 'foreign', 'cancelled'],
  mined: ['mined', 'broadcast', 'signed', 'final', 'reverted', 'foreign', 'cancelled'],
  final: [],
  reverted: [],
  foreign: [],
  cancelled: [],
};

export const OUTBOUND_STATES = Object.keys(NEXT_STATES) as OutboundState[];

export function isOutboundTransitionAllowed(from: OutboundState, to: OutboundState): boolean {
  return NEXT_STATES[from].includes(to);
}

export function isFinishedOutboundState(state: OutboundState): boolean {
  return NEXT_STATES[state].length === 0;
}

export type OutboundPurpose =
  'factory_deployment' | 'settlement' | 'authorized_transfer' | 'refund' | 'float_withdrawal';

/** The same in every attempt that does not cancel. Addresses in lower case, amounts in the smallest unit. */
export interface PlannedCall {
  readonly to: string;
  /** Call data in hex with `0x`. */
  readonly data: string;
  readonly value: bigint;
  readonly gasLimit: bigint;
}

export interface MinedAttempt {
  readonly hash: string;
  readonly blockNumber: number;
  /** False for a cancelling attempt. */
  readonly succeeded: boolean;
  /** Same as `OutboundTransactionStatus.gasCost`. */
  readonly gasCost: bigint | null;
}

export interface OutboundTransaction {
  readonly id: string;
  readonly network: string;
  /** Address of the key, in lower case. */
  readonly sender: string;
  readonly key: string;
  readonly nonce: number;
  readonly call: PlannedCall;
  readonly feeCeiling: bigint;
  /** `unknown` if the operator accepted a transaction on the chain that belongs to no order. */
  readonly purpose: OutboundPurpose | 'unknown';
  readonly state: OutboundState;
  readonly attempts: number;
  /** Null before the state `mined`. */
  readonly mined: MinedAttempt | null;
  /** For a reserved outbound transaction, the reason why it is not signed. */
  readonly response: string | null;
  readonly createdAt: Date;
}

/** Returns a call from the key's account to itself, which uses the nonce without moving anything. */
export function cancellingCall(sender: string, gasLimit: bigint): PlannedCall {
  return { to: sender, data: '0x', value: 0n, gasLimit };
}

interface EndState {
  readonly state: OutboundState;
  readonly mined: MinedAttempt;
}

/** The attempt that is mined decides. */
export function endStateOf(receipt: MinedAttempt, isFinal: boolean, cancelling: readonly string[]): EndState {
  const cancels = cancelling.includes(receipt.hash);
  const mined = cancels ? { ...receipt, succeeded: false } : receipt;
  if (!isFinal) return { state: 'mined', mined };
  if (cancels) return { state: 'cancelled', mined };
  return { state: receipt.succeeded ? 'final' : 'reverted', mined };
}
