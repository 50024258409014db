import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { Recipient } from '#contexts/networks/contract/deposit-addresses.js';
import type { ReadingShown, RequestToExplain } from './explanation-view.js';

/** The stored reading; the catalogue says which lag is too much. */
export type StoredReading = Omit<ReadingShown, 'isBehind'>;
export type StoredRequest = Omit<RequestToExplain, 'networks'> & {
  readonly networks: readonly StoredReading[];
};

/** A deposit address of the caller's, in the spelling by which transfers are matched. */
export interface OwnAddress extends Recipient {
  readonly network: string;
  readonly paymentRequestId: string;
  readonly pointOfSaleId: string;
}

/** Reads past the aggregate, one statement each. What is not in scope is as if it were not. */
export abstract class ExplanationQueries {
  /**
   * @param pointOfSale of which it must be, or null for any in scope
   * @throws not_found, also for another tenant's and for one of another point of sale
   */
  abstract request(
    scope: Scope,
    pointOfSale: PointOfSaleId | null,
    id: PaymentRequestId,
  ): Promise<StoredRequest>;
  /**
   * The requests to whose addresses canonical transfers of that transaction were recorded, with these among their
   * transfers; at most fifty.
   * @param networks all that may hold it: the index begins with them
   * @param hash as those networks spell it
   */
  abstract requestsPaidBy(scope: Scope, networks: readonly string[], hash: string): Promise<StoredRequest[]>;
  /** The caller's deposit addresses at any of these addresses, on any of these networks, whatever their tags. */
  abstract ownAddresses(
    scope: Scope,
    networks: readonly string[],
    addresses: readonly string[],
  ): Promise<OwnAddress[]>;
  /** One reading for each of these networks, in their order. */
  abstract readings(networks: readonly string[]): Promise<StoredReading[]>;
}
