import type { OrganizationId } from '#shared/kernel/ids.js';

/** Addresses of terms that `DepositAddresses.numbering` numbers. */
export interface NumberedAddresses {
  readonly network: string;
  readonly numbering: string;
}

/** A place in a sequence of numbered addresses. */
export interface TakenNumber {
  /** The sequence; terms that name the same addresses share one. */
  readonly numberingId: number;
  /** The first one has 0. */
  readonly number: number;
}

/** Most wallets look no further beyond the last address that was paid (BIP-44): they miss what comes to a later one. */
export const GAP_LIMIT = 20;

export abstract class AddressNumbers {
  /**
   * Takes the next number of a sequence, and keeps others out of it until the unit of work ends: where that is undone, the
   * number is the next one again. Take it after all locks on requests.
   * @throws state_conflict where the sequence is another organization's; outside a unit of work
   */
  abstract take(addresses: NumberedAddresses, organization: OrganizationId): Promise<TakenNumber>;
}
