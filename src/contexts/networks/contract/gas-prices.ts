/** The current price of gas. */
export abstract class GasPrices {
  /**
   * The price of one unit of gas in the next block, in the smallest unit of the native coin; the fee of a rollup for its
   * base chain is not part of it.
   * @throws ChainUnavailable
   */
  abstract now(network: string): Promise<bigint>;
}
