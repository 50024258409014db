import type { CheckoutView } from '#contexts/payments/application/requests/checkout-view.js';

/** A hint for the merchant's page, not a proof (docs/api/checkout.md, "Session"). */
export function returnUrlWithOutcome(returnUrl: string, { id, status }: CheckoutView): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_request_id', id);
  url.searchParams.set('status', status);
  return url.href;
}
