import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PaymentRequestView } from '../requests/payment-request-view.js';

/** A checkout by the alias of its session, or a request without a hosted page. */
export type ShownRequest = { readonly alias: string } | { readonly direct: PaymentRequestView };

/** Requests of physical points of sale. */
export abstract class TillRequests {
  /** The merchant's newest open request, unpaid and within its window. Requests that payers have typed belong to those payers only. */
  abstract shownOn(pointOfSale: PointOfSaleId): Promise<ShownRequest | undefined>;
  /** The request of a session that a payer has opened there by typing an amount. */
  abstract typedOn(pointOfSale: PointOfSaleId, sessionId: string): Promise<PaymentRequestId | undefined>;
}
