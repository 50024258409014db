export interface SourcePrice {
  /** Decimal string that `isPrice` accepts. */
  readonly price: string;
  /** By real time, where the source says how old its price is. */
  readonly at?: Date;
}

/** A public ticker. */
export abstract class RateSource {
  /** As prices are recorded with it: `kraken`. */
  abstract readonly name: string;

  /**
   * Price of one unit of the asset in the currency, now.
   * @param symbol as the catalogue spells it
   * @param currency ISO 4217 code
   * @throws SourceDown where the source does not answer, NoSuchPrice where it answers something else than a price
   */
  abstract price(symbol: string, currency: string, signal: AbortSignal): Promise<SourcePrice>;
}

/** The source itself is away: another pair would fare no better. */
export class SourceDown extends Error {}

/** The source has no price, or none to be believed, of this pair. */
export class NoSuchPrice extends Error {}
