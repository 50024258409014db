export interface PriceSourceAnswer {
  /** Timestamp of the answer by the system clock, if the price source reports the answer's age. */
  readonly at?: Date;

  /**
   * @throws NoSuchPriceError if the answer has no usable price, Disputed if it contradicts itself
   */
  priceIn(currency: string): string;
}

export abstract class RateSource {
  abstract readonly name: string;

  /** Pairs with the same query share one request. */
  abstract toPairQuery(symbol: string, currency: string): string | undefined;

  /**
   * @throws SourceDown; NoSuchPriceError if the price source does not know the requested symbol or pair
   */
  abstract query(question: string, signal: AbortSignal): Promise<PriceSourceAnswer>;
}

/** Thrown if the price source is unavailable, so that another query would fail too. */
export class PriceSourceDownError extends Error {}

export class NoSuchPriceError extends Error {}

/** The pair then gets no price, not even from other price sources. */
export class InconsistentPriceError extends Error {}
