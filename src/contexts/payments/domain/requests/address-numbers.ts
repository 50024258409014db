import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';

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

/** The newest numbers in a row, at most `GAP_LIMIT`, that nobody has paid and whose requests are open. */
export interface OpenNumbers {
  readonly count: number;
  /** The part of them that sessions of one caller have taken. */
  readonly ofCaller: number;
}

/** One caller does not keep all others from paying in the asset. */
export const NUMBERS_OF_CALLER = GAP_LIMIT / 2;

/** A page that anybody may open then offers other assets: one more number could be beyond what the merchant's wallet sees. */
export function isGapTaken({ count, ofCaller }: OpenNumbers): boolean {
  return count >= GAP_LIMIT || ofCaller >= NUMBERS_OF_CALLER;
}

export abstract class AddressNumbers {
  /**
   * Takes the next number of a sequence, and keeps others out of it until the unit of work ends: where that is undone, the
   * number is the next one again. Take it after all locks on requests.
   * @throws state_conflict where the sequence is another organization's; outside a unit of work
   */
  abstract take(addresses: NumberedAddresses, organization: OrganizationId): Promise<TakenNumber>;

  /** @param caller as sessions are counted under it; undefined for nobody's */
  abstract open(addresses: NumberedAddresses, caller: string | undefined): Promise<OpenNumbers>;

  /**
   * The open numbers without that of a request, in the sequence that it took the last one from. They are counted exactly in the unit
   * of work that took it.
   * @returns null where it has no number, or was not opened by a payer
   */
  abstract openBeside(request: PaymentRequestId): Promise<OpenNumbers | null>;
}
