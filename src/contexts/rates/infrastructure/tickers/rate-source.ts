export interface SourceAnswer {
  /** Timestamp of the answer by the system clock, if the price source reports the answer's age. */
  readonly at?: Date;

  /**
   * Returns a price as a decimal string that `isPrice` accepts.
   * @param currency ISO 4217 code
   * @throws NoSuchPrice if the answer has no usable price, Disputed if it contradicts itself
   */
  priceIn(currency: string): string;
}

export abstract class RateSource {
  /** Name of the price source, recorded with each price, for example `kraken`. */
  abstract readonly name: string;

  /**
   * Returns the query that provides this price. Pairs with the same query share one request.
   * @param symbol as spelled in the asset catalogue
   * @param currency ISO 4217 code
   * @returns undefined if the price source cannot know the symbol
   */
  abstract question(symbol: string, currency: string): string | undefined;

  /**
   * Sends one request.
   * @throws SourceDown; NoSuchPrice if the price source does not know the requested symbol or pair
   */
  abstract ask(question: string, signal: AbortSignal): Promise<SourceAnswer>;
}

/** Thrown if the price source is unavailable, so that another query would fail too. */
export class SourceDown extends Error {}

/** Thrown if the price source has no usable price for the pair. */
export class NoSuchPrice extends Error {}

/**
 * Thrown if a price source's own prices for the pair are too far apart. The pair then gets no price, not even from
 * other price sources.
 */
export class Disputed extends Error {}
