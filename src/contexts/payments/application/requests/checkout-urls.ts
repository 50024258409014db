/** URLs of checkouts and payment links (docs/reference/checkout.md, "Create"). */
export class CheckoutUrls {
  /**
   * @param publicUrl origin of the API, without a slash at the end
   * @param checkoutHost origin of the hosted pages, likewise
   */
  constructor(
    private readonly publicUrl: string,
    private readonly checkoutHost: string,
  ) {}

  /** Wallets and backends ask this URL what to pay. */
  forWallets(sessionId: string): string {
    return `${this.publicUrl}/public/checkout/${sessionId}/payment`;
  }

  /** Clients of x402 pay here by one header. */
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

  /** The recipient of a mail unsubscribes here. */
  unsubscribe(code: string): string {
    return `${this.checkoutHost}/unsubscribe/${code}`;
  }
}
