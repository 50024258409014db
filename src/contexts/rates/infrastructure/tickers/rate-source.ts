export interface SourceAnswer {
  /** Timestamp of the answer by the system clock, if the source reports its age. */
  readonly at?: Date;

  /**
   * Returns a decimal string that `isPrice` accepts.
   * @param currency ISO 4217 code
   * @throws NoSuchPrice if the answer has no usable price, Disputed if it contradicts itself
   */
  priceIn(currency: string): string;
}

export abstract class RateSource {
  /** Recorded with each price, for example `kraken`. */
  abstract readonly name: string;

  /**
   * Returns the query that provides this price. Pairs with the same query share one request.
   * @param symbol as the catalogue spells it
   * @param currency ISO 4217 code
   * @returns undefined if the source cannot know the symbol
   */
  abstract question(symbol: string, currency: string): string | undefined;

  /** Sends one request. @throws SourceDown; NoSuchPrice if the source does not know the requested symbol or pair */
  abstract ask(question: string, signal: AbortSignal): Promise<SourceAnswer>;
}

/** The source is unavailable: another query would fail too. */
export class SourceDown extends Error {}

/** The source has no usable price for the pair. */
export class NoSuchPrice extends Error {}

/** The source's own prices for the pair are too far apart. The pair then gets no price, not even from other sources. */
export class Disputed extends Error {}
