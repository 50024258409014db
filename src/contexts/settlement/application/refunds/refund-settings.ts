/** Of requests a minute to claim pages (docs/api/limits.md, "Rates"). */
export interface RefundPageLimits {
  /** Of an address for one claim. */
  readonly requests: number;
  /** Of an address in all. */
  readonly addressRequests: number;
  /** Of an address for what there is not, before it counts as guessing. */
  readonly misses: number;
}

/** Where payers find the pages of refunds, and how often. */
export class RefundSettings {
  /** @param checkoutHost an origin, without a slash at the end */
  constructor(
    readonly checkoutHost: string,
    readonly limits: RefundPageLimits = { requests: 120, addressRequests: 1_200, misses: 30 },
  ) {}

  claimPage(claim: string): string {
    return `${this.checkoutHost}/refund/${claim}`;
  }
}
