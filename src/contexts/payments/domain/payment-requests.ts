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
   * The requests with their canonical transfers, row-locked by ascending id until the unit of work ends.
   * For the network's watcher, which acts for every tenant.
   */
  abstract lock(ids: readonly PaymentRequestId[]): Promise<PaymentRequest[]>;

  /** Makes creations on one physical point of sale wait for each other, and locks its open requests. */
  abstract lockOpenOn(pointOfSale: PointOfSaleId): Promise<PaymentRequest[]>;

  /** Stores state, transfers, history and events together. @throws outside a unit of work */
  abstract save(requests: readonly PaymentRequest[]): Promise<void>;
}
