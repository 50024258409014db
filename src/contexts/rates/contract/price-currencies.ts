export abstract class PriceCurrencies {
  /** Currencies and asset symbols that a price can be in, the most usual ones first. */
  abstract codes(): readonly string[];
}
