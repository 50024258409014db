/** A public ticker's answer to one question. */
export interface SourceAnswer {
  /** The answer's time by the real clock, where the source says how old it is. */
  readonly at?: Date;

  /**
   * Decimal string that `isPrice` accepts.
   * @param currency ISO 4217 code
   * @throws NoSuchPrice where the answer has no usable one, Disputed where it contradicts itself
   */
  priceIn(currency: string): string;
}

/** A public ticker. */
export abstract class RateSource {
  /** The name that prices are recorded with: `kraken`. */
  abstract readonly name: string;

  /**
   * The question for this price; pairs with the same question are answered by one request.
   * @param symbol as the catalogue spells it
   * @param currency ISO 4217 code
   * @returns undefined where the source cannot know the symbol
   */
  abstract question(symbol: string, currency: string): string | undefined;

  /** One request. @throws SourceDown, NoSuchPrice where the source says that it does not know what is asked for */
  abstract ask(question: string, signal: AbortSignal): Promise<SourceAnswer>;
}

/** The source itself is away: another question would fare no better. */
export class SourceDown extends Error {}

/** The source has no usable price of this pair. */
export class NoSuchPrice extends Error {}

/** The source's own prices of this pair lie too far apart: no source's price of it is used. */
export class Disputed extends Error {}
