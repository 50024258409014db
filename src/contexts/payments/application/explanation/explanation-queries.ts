import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { Recipient } from '#contexts/networks/contract/deposit-addresses.js';
import type { ReadingShown, RequestToExplain } from './explanation-view.js';

/** Stored read position. The catalogue adds whether its lag is too large. */
export type StoredReading = Omit<ReadingShown, 'isBehind'>;
export type StoredRequest = Omit<RequestToExplain, 'networks'> & {
  readonly networks: readonly StoredReading[];
};

/** Deposit address of the caller in canonical format. */
export interface OwnAddress extends Recipient {
  readonly network: string;
  readonly paymentRequestId: string;
  readonly pointOfSaleId: string;
}

/** Reads without the aggregate; each method runs one statement. Records outside the scope count as nonexistent. */
export abstract class ExplanationQueries {
  /**
   * @param pointOfSale required owner; null accepts any point of sale in scope
   * @throws not_found, also for a request of another tenant or point of sale
   */
  abstract request(
    scope: Scope,
    pointOfSale: PointOfSaleId | null,
    id: PaymentRequestId,
  ): Promise<StoredRequest>;
  /**
   * Returns at most fifty requests whose addresses received recorded canonical transfers of the transaction, including these
   * transfers.
   * @param networks all candidates, because they are the prefix of the index
   * @param hash as normalized by those networks
   */
  abstract requestsPaidBy(scope: Scope, networks: readonly string[], hash: string): Promise<StoredRequest[]>;
  /** Returns the caller's deposit addresses among these addresses and networks, with any tag. */
  abstract ownAddresses(
    scope: Scope,
    networks: readonly string[],
    addresses: readonly string[],
  ): Promise<OwnAddress[]>;
  /** In the order of the given networks. */
  abstract readings(networks: readonly string[]): Promise<StoredReading[]>;
}
