import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { UnpaidRequest } from '../../domain/till-codes/occupied-till.js';
import type { PaymentRequestView } from '../requests/payment-request-view.js';

/** The session of a checkout, or a request without a hosted page. */
export type ShownRequest = { readonly sessionId: string } | { readonly direct: PaymentRequestView };

/** The open requests of physical points of sale that nobody has paid yet, within their window. */
export abstract class TillRequests {
  /** The newest of the merchant's; those whose amount a payer has typed are that payer's alone. */
  abstract shownOn(pointOfSale: PointOfSaleId): Promise<ShownRequest | undefined>;
  /** All of them, at a moment. @param except the request that is being stored */
  abstract unpaidOn(
    pointOfSale: PointOfSaleId,
    now: Date,
    except?: PaymentRequestId,
  ): Promise<UnpaidRequest[]>;
}
