/** URLs of the printed codes of points of sale. */
export class CodeUrls {
  /** @param checkoutHost origin of the hosted pages, without a slash at the end */
  constructor(private readonly checkoutHost: string) {}

  /** The content of the printed QR code: a page for browsers, and the payment for wallets. */
  forCode(code: string): string {
    return `${this.checkoutHost}/pos/${code}`;
  }
}
