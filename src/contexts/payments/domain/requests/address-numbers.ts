/** A sequence of numbered deposit addresses. `numbering` is the value returned by `DepositAddresses.numbering`. */
export interface AddressSequence {
  readonly network: string;
  readonly numbering: string;
}

export interface AddressNumber {
  /** Id of the number sequence. Settlement terms that lead to the same addresses share a sequence. */
  readonly numberingId: number;
  /** Number of the address in its sequence, starting at 0. */
  readonly number: number;
}

/**
 * Number of addresses that most wallets scan after the last paid one (BIP-44). Funds sent to later addresses are
 * not found.
 */
export const GAP_LIMIT = 20;

/**
 * Counts of the newest consecutive address numbers that are unpaid and whose requests are open. At most
 * `GAP_LIMIT`.
 */
export interface OpenNumberCounts {
  readonly count: number;
  /** How many of these numbers belong to sessions of one caller. */
  readonly ofCaller: number;
}

/** Maximum number of open unpaid address numbers of one caller, so that other callers can still pay in the asset. */
export const MAX_OPEN_NUMBERS_PER_CALLER = GAP_LIMIT / 2;

/** True if the wallet of the merchant might not scan the next address. Public pages then offer other assets. */
export function isGapExhausted({ count, ofCaller }: OpenNumberCounts): boolean {
  return count >= GAP_LIMIT || ofCaller >= MAX_OPEN_NUMBERS_PER_CALLER;
}
