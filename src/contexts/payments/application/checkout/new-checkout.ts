import type { PaymentLinkId } from '#shared/kernel/ids.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { Checkout } from '../../domain/requests/checkout.js';
import { merchantOf, type PartialOrder, type Price } from '../../domain/requests/price/order.js';
import { newSessionId } from './session-access-rule.js';

interface CheckoutInput extends Price {
  readonly order?: PartialOrder;
  readonly returnUrl?: string;
  readonly paymentLink?: { readonly id: PaymentLinkId };
}

/** A session under a new id. @param paymentOptions unique asset ids, at least one */
export function newCheckout(
  { amount, coinCode, order, returnUrl, paymentLink }: CheckoutInput,
  point: Pick<CollectingPoint, 'merchant' | 'frameOrigins' | 'returnUrl'>,
  paymentOptions: readonly string[],
): Checkout {
  return {
    ...{ sessionId: newSessionId(), amount, coinCode, paymentOptions },
    merchant: merchantOf(order, point.merchant),
    returnUrl: returnUrl ?? point.returnUrl,
    frameOrigins: point.frameOrigins,
    paymentLinkId: paymentLink?.id,
  };
}
