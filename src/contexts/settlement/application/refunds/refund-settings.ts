/** Default number of days after which a missing float key counts as lost. */
export const KEY_MISSING_DAYS = 7;

export class RefundSettings {
  /** @param checkoutHost origin without a trailing slash */
  constructor(
    readonly checkoutHost: string,
    readonly keyMissingDays: number,
  ) {}

  claimPage(claim: string): string {
    return `${this.checkoutHost}/refund/${claim}`;
  }
}
