/** The days after which the key of a float counts as lost, unless the operator sets others. */
export const KEY_MISSING_DAYS = 7;

/** Where payers find the pages of refunds, and when the key of a float counts as lost. */
export class RefundSettings {
  /** @param checkoutHost an origin, without a slash at the end */
  constructor(
    readonly checkoutHost: string,
    readonly keyMissingDays: number,
  ) {}

  claimPage(claim: string): string {
    return `${this.checkoutHost}/refund/${claim}`;
  }
}
