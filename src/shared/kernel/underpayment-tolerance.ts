/** How much less than the price a merchant accepts as full payment. The missing amount must be within both limits. */
export interface UnderpaymentTolerance {
  /** Maximum missing amount in hundredths of a percent of the price, at least 1. */
  readonly basisPoints: number;
  /** Maximum missing amount as a decimal string above zero, in the unit of the price. */
  readonly atMost: string;
  /**
   * ISO 4217. The tolerance then applies only to prices in this currency and in assets pegged to it. Absent: it applies
   * to every price.
   */
  readonly currency?: string;
}
