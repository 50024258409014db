/** `numbering` is the value of `DepositAddresses.numbering`. */
export interface AddressSequence {
  readonly network: string;
  readonly numbering: string;
}

export interface AddressNumber {
  /** Id of the sequence. All terms with the same addresses share a sequence. */
  readonly numberingId: number;
  /** Starts at 0. */
  readonly number: number;
}

/** Most wallets scan only this many addresses beyond the last paid one (BIP-44), and miss funds sent to later ones. */
export const GAP_LIMIT = 20;

/** Newest consecutive unpaid numbers whose requests are open; at most `GAP_LIMIT`. */
export interface OpenNumbers {
  readonly count: number;
  /** Numbers that belong to sessions of one caller. */
  readonly ofCaller: number;
}

/** Limits one caller, so that others can still pay in the asset. */
export const NUMBERS_OF_CALLER = GAP_LIMIT / 2;

/** True if the merchant's wallet might not scan the next number. Public pages then offer other assets. */
export function isGapTaken({ count, ofCaller }: OpenNumbers): boolean {
  return count >= GAP_LIMIT || ofCaller >= NUMBERS_OF_CALLER;
}
