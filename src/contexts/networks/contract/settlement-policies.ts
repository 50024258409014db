export interface SettlementPolicy {
  readonly everySeconds: number;
  /** Maximum share of a balance that the gas for its payout may cost. */
  readonly maxGasSharePercent: number;
  /** Hours after which a balance is paid out if it is worth more than the gas for its payout. */
  readonly afterHours: number;
  /** Balances then stay at their deposit addresses. */
  readonly isPaused: boolean;
}

export abstract class SettlementPolicies {
  abstract all(): ReadonlyMap<string, SettlementPolicy>;
}
