import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';

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

export abstract class AddressNumbers {
  /**
   * Reserves the next number of a sequence, and locks the sequence until the unit of work ends. A rollback releases the
   * number. Call it after all locks on requests.
   * @throws state_conflict if the sequence belongs to another organization; outside a unit of work
   */
  abstract reserve(addresses: AddressSequence, organization: OrganizationId): Promise<AddressNumber>;

  /** @param caller identifies the payer for the limits on open sessions; undefined for none */
  abstract open(addresses: AddressSequence, caller: string | undefined): Promise<OpenNumbers>;

  /**
   * Counts the open numbers except that of a request, in the sequence of its latest number. The count is exact in the unit of work
   * that reserved the number.
   * @returns null if the request has no number, or was not opened by a payer
   */
  abstract openBeside(request: PaymentRequestId): Promise<OpenNumbers | null>;
}
