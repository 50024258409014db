/** URLs of a checkout, its receipt and its payment link (docs/reference/checkout.md, "Create"). */
export class CheckoutUrls {
  /** @param publicUrl origin of the API, without a trailing slash @param checkoutHost origin of the hosted pages */
  constructor(
    private readonly publicUrl: string,
    private readonly checkoutHost: string,
  ) {}

  forWallets(sessionId: string): string {
    return `${this.publicUrl}/public/checkout/${sessionId}/payment`;
  }

  forX402(sessionId: string): string {
    return `${this.publicUrl}/public/checkout/${sessionId}/x402`;
  }

  page(sessionId: string): string {
    return `${this.checkoutHost}/checkout/${sessionId}`;
  }

  linkPage(code: string): string {
    return `${this.checkoutHost}/link/${code}`;
  }

  receipt(code: string): string {
    return `${this.checkoutHost}/receipt/${code}`;
  }

  mailUnsubscribe(code: string): string {
    return `${this.checkoutHost}/unsubscribe/${code}`;
  }
}
