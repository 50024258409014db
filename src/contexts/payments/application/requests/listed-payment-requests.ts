import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { TimeRange } from '#shared/kernel/time-range.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { Checkout } from '../../domain/requests/checkout.js';
import type { AskedView, PaymentRequestFactsView } from './payment-request-facts-view.js';

/** Which payment requests are wanted; what is left out does not narrow. */
export interface PaymentRequestFilter {
  readonly status?: PaymentRequestStatus;
  /** The merchant's own order id, whole. */
  readonly referenceId?: string;
  readonly created: TimeRange;
}

/** A payment request in a list: without its order, its token, its transfers and its history. */
export interface ListedPaymentRequest extends Omit<PaymentRequestFactsView, 'order' | 'organizationId'> {
  /** Absent while the payer of a checkout has not chosen. */
  readonly asked?: AskedView;
  /** Absent for a request without a hosted page. */
  readonly checkout?: ListedCheckout;
  /** Counted transfers, final or not. */
  readonly receivedAmount: bigint;
  readonly confirmedAt?: Date;
}

export type ListedCheckout = Pick<
  Checkout,
  'sessionId' | 'amount' | 'coinCode' | 'returnUrl' | 'paymentLinkId'
>;

export abstract class ListedPaymentRequests {
  /**
   * Newest first, with their exact number: one statement. Its cost grows with the number of those that match, of which
   * it reads an index entry each, and with the page, of which alone it reads rows. Empty for another tenant's point of sale.
   */
  abstract page(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    filter: PaymentRequestFilter,
    request: PageRequest,
  ): Promise<Page<ListedPaymentRequest>>;
}
