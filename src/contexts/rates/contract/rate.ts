/** The price of one whole unit of an asset in a coin. */
export interface Rate {
  /** Decimal string, plain notation, above zero: what one whole unit of the asset costs in the coin. */
  readonly price: string;
  /** Who said so, in alphabetical order: `coinbase`, `kraken`; `peg` where no market was asked. */
  readonly sources: readonly string[];
  /** Since when it is known; of several that were combined the oldest. */
  readonly at: Date;
}
