/** The shortfall that a merchant accepts of a payment that ended underpaid. It must keep within both bounds. */
export interface UnderpaymentTolerance {
  /** Ten-thousandths of the price, at least 1. */
  readonly basisPoints: number;
  /** Decimal string above zero, in units of the price. */
  readonly atMost: string;
  /**
   * ISO 4217. The tolerance then counts only for prices in this currency and in assets pegged to it. Absent: for every price, whatever
   * its coin.
   */
  readonly currency?: string;
}
