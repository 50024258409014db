/** The missing amount must be within both limits. */
export interface UnderpaymentTolerance {
  /** In hundredths of a percent of the price, at least 1. */
  readonly basisPoints: number;
  /** Decimal string above zero, in the unit of the price. */
  readonly atMost: string;
  /** ISO 4217. Limits the tolerance to prices in this currency and in assets pegged to it. */
  readonly currency?: string;
}
