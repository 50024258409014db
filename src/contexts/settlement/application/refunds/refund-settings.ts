/** Where payers find the pages of refunds. */
export class RefundSettings {
  /** @param checkoutHost an origin, without a slash at the end */
  constructor(readonly checkoutHost: string) {}

  claimPage(claim: string): string {
    return `${this.checkoutHost}/refund/${claim}`;
  }
}
