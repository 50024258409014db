/** What gas costs now. */
export abstract class GasPrices {
  /**
   * What one unit of gas costs in the next block, in the smallest unit of the native coin; the fee of a rollup for its base
   * chain is not part of it. @throws ChainUnavailable
   */
  abstract now(network: string): Promise<bigint>;
}
