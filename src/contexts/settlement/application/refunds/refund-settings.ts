/** Where payers find the pages of refunds, and when the key of a float counts as lost. */
export class RefundSettings {
  /** @param checkoutHost an origin, without a slash at the end */
  constructor(
    readonly checkoutHost: string,
    readonly keyMissingDays = 7,
  ) {}

  claimPage(claim: string): string {
    return `${this.checkoutHost}/refund/${claim}`;
  }
}
