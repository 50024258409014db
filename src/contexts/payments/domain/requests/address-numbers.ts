/** `numbering` is the value returned by `DepositAddresses.sequenceName`. */
export interface AddressSequence {
  readonly network: string;
  readonly numbering: string;
}

export interface AddressNumber {
  /** Settlement terms that lead to the same addresses share a sequence. */
  readonly numberingId: number;
  readonly number: number;
}

/** Most wallets scan this number of addresses after the last paid one (BIP-44), and find no funds beyond. */
export const GAP_LIMIT = 20;

/** The newest consecutive address numbers that are unpaid and whose requests are open. At most `GAP_LIMIT`. */
export interface OpenAddressCounts {
  readonly count: number;
  readonly ofCaller: number;
}

/** Leaves numbers for other callers, so that they can still pay in the asset. */
export const MAX_OPEN_ADDRESSES_PER_CALLER = GAP_LIMIT / 2;

export function isGapExhausted({ count, ofCaller }: OpenAddressCounts): boolean {
  return count >= GAP_LIMIT || ofCaller >= MAX_OPEN_ADDRESSES_PER_CALLER;
}
