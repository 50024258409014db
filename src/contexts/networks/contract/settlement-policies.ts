/** Configured rules for when balances of a network's deposit addresses are paid out. */
export interface SettlementPolicy {
  readonly everySeconds: number;
  /** A balance is due if the gas for its payout costs at most this share of the balance. */
  readonly maxGasSharePercent: number;
  /** After this time, a balance is due if it is worth more than the gas for its payout. */
  readonly afterHours: number;
  /** True if payouts are paused. Balances then stay at their deposit addresses. */
  readonly isPaused: boolean;
}

export abstract class SettlementPolicies {
  /** Returns the policies of all configured networks on which the service can send. The data is in memory. */
  abstract all(): ReadonlyMap<string, SettlementPolicy>;
}
