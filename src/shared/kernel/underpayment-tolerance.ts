/** The shortfall that a merchant accepts of a payment that ended underpaid. It must keep within both bounds. */
export interface UnderpaymentTolerance {
  /** Ten-thousandths of the price, at least 1. */
  readonly basisPoints: number;
  /** Decimal string above zero, in units of the price, in whatever coin that is. */
  readonly atMost: string;
}
