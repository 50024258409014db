/** When what waits at a network's deposit addresses is delivered, by configuration. */
export interface SettlementPolicy {
  /** Pause between two looks at what is due. */
  readonly everySeconds: number;
  /** Waiting money is due once its gas costs at most that share of it. */
  readonly maxGasSharePercent: number;
  /** Money that has waited for so long is due as soon as it is worth its gas at all. */
  readonly afterHours: number;
  /** Nothing is sent; what waits goes on waiting. */
  readonly isPaused: boolean;
}

export abstract class SettlementPolicies {
  /** Policies of every configured network on which the service can send. In memory, so asking costs nothing. */
  abstract all(): ReadonlyMap<string, SettlementPolicy>;
}

/** The current price of gas. */
export abstract class GasPrices {
  /**
   * The price of one unit of gas in the next block, in the smallest unit of the native coin; the fee of a rollup for its
   * base chain is not part of it.
   * @throws ChainUnavailable
   */
  abstract now(network: string): Promise<bigint>;
}
