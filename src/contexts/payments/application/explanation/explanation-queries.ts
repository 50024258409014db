import type { PaymentRequestId, PointOfSaleId } from '../../../../shared/kernel/ids.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import type { ReadingShown, RequestToExplain } from './explanation-view.js';

/** As it is stored; which lag is too much is for the catalogue to say. */
export type StoredReading = Omit<ReadingShown, 'isBehind'>;
export type StoredRequest = Omit<RequestToExplain, 'networks'> & {
  readonly networks: readonly StoredReading[];
};

/** A deposit address of the caller's. */
export interface OwnAddress {
  readonly network: string;
  /** Lower-case hex. */
  readonly address: string;
  readonly paymentRequestId: string;
  readonly pointOfSaleId: string;
}

/** Reads past the aggregate, one statement each. What is not in scope is as if it were not. */
export abstract class ExplanationQueries {
  /** @throws not_found, also for another tenant's and for one of another point of sale */
  abstract request(scope: Scope, pointOfSale: PointOfSaleId, id: PaymentRequestId): Promise<StoredRequest>;
  /**
   * The requests to whose addresses canonical transfers of that transaction were recorded, with these among their
   * transfers; at most fifty.
   * @param networks all that may hold it: the index begins with them
   * @param hash in lower case
   */
  abstract requestsPaidBy(scope: Scope, networks: readonly string[], hash: string): Promise<StoredRequest[]>;
  /** Which of these addresses, on any of these networks, are the caller's. @param addresses in lower case */
  abstract ownAddresses(
    scope: Scope,
    networks: readonly string[],
    addresses: readonly string[],
  ): Promise<OwnAddress[]>;
  /** Of each of these networks, in their order. */
  abstract readings(networks: readonly string[]): Promise<StoredReading[]>;
}
