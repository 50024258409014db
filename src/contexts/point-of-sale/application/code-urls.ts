export class CodeUrls {
  /** @param checkoutHost origin of the hosted pages, without a trailing slash */
  constructor(private readonly checkoutHost: string) {}

  /** Browsers open it as a page, wallets as a payment. */
  forCode(code: string): string {
    return `${this.checkoutHost}/pos/${code}`;
  }
}
