import type { PaymentRequestId, PointOfSaleId } from '../../../shared/kernel/ids.js';
import type { PaymentRequest } from './payment-request.js';

/** Why a request could not be stored: what it was made from has changed, or nobody reads its network yet. */
export type Refusal = 'point_of_sale_changed' | 'network_not_watched';

export abstract class PaymentRequests {
  /**
   * Stores a new request with its address, history and events. One statement, so atomic by itself; joins the open
   * unit of work where there is one.
   * @param token the payment token as the payer is shown it
   * @param pointOfSaleVersion checked by the same statement, so that no address commits to replaced terms
   * @returns null when stored
   */
  abstract add(request: PaymentRequest, token: string, pointOfSaleVersion: string): Promise<Refusal | null>;

  /**
   * The requests with the transfers that count, row-locked by ascending id until the unit of work ends.
   * For the network's watcher, which acts for every tenant.
   */
  abstract lock(ids: readonly PaymentRequestId[]): Promise<PaymentRequest[]>;

  /**
   * Keeps other creations on one physical point of sale out until the unit of work ends, and locks its open requests.
   * @returns null at once where another creation holds it: waiting would cost a connection for each that waits
   */
  abstract lockOpenOn(pointOfSale: PointOfSaleId): Promise<PaymentRequest[] | null>;

  /** Open requests in an asset, at most `limit`, row-locked as by `lock`; of every tenant, for the operator. */
  abstract lockOpenIn(uniqueAssetId: string, limit: number): Promise<PaymentRequest[]>;

  /** How many requests are open in each asset. */
  abstract openByAsset(): Promise<Map<string, number>>;

  /** Stores what has changed since it was loaded, with its events. @throws outside a unit of work */
  abstract save(requests: readonly PaymentRequest[]): Promise<void>;
}
