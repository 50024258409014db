export interface SourceAnswer {
  /** Timestamp of the answer by the system clock, if the price source reports the answer's age. */
  readonly at?: Date;

  /**
   * @throws NoSuchPrice if the answer has no usable price, Disputed if it contradicts itself
   */
  priceIn(currency: string): string;
}

export abstract class RateSource {
  abstract readonly name: string;

  /** Pairs with the same query share one request. */
  abstract question(symbol: string, currency: string): string | undefined;

  /**
   * @throws SourceDown; NoSuchPrice if the price source does not know the requested symbol or pair
   */
  abstract ask(question: string, signal: AbortSignal): Promise<SourceAnswer>;
}

/** Thrown if the price source is unavailable, so that another query would fail too. */
export class PriceSourceDown extends Error {}

export class NoSuchPrice extends Error {}

/** The pair then gets no price, not even from other price sources. */
export class DisputedPrice extends Error {}
