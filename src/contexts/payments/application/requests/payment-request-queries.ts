import type { PaymentRequestId, PointOfSaleId } from '../../../../shared/kernel/ids.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import type { PaymentRequestProgressView } from './payment-request-view.js';

/** Reads past the aggregate: one statement each. */
export abstract class PaymentRequestQueries {
  /** @throws not_found, also for another tenant's and for one of another point of sale */
  abstract find(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    id: PaymentRequestId,
  ): Promise<PaymentRequestProgressView>;
}
