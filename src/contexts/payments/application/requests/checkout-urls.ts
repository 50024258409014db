/** Where a checkout is found; shaped by the specification ("Payment request", hosted_checkout_url). */
export class CheckoutUrls {
  /**
   * @param publicUrl `{base_url}`, without a slash at the end
   * @param checkoutHost `{checkout_host}`, likewise
   */
  constructor(
    private readonly publicUrl: string,
    private readonly checkoutHost: string,
  ) {}

  /** For wallets and backends: answers what to pay. */
  forWallets(sessionId: string): string {
    return `${this.publicUrl}/public/checkout/${sessionId}/payment`;
  }

  page(sessionId: string): string {
    return `${this.checkoutHost}/checkout/${sessionId}`;
  }

  linkPage(code: string): string {
    return `${this.checkoutHost}/link/${code}`;
  }
}
