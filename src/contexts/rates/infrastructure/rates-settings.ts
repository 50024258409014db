export type RateSourceName = 'kraken' | 'coinbase';

export class RatesSettings {
  /** How long an answer of a price source is served without a new query. */
  readonly freshMs: number = 10_000;
  /** Maximum age of a usable price. */
  readonly staleMs: number = 60_000;
  /** Maximum distance between the prices of two price sources, or between bid and ask. */
  readonly maxSpreadBasisPoints: number = 200;
  /** How long a price source is not queried after a failure. */
  readonly restMs: number = 3_000;
  /** Longest pause after consecutive failures. */
  readonly longestRestMs: number = 60_000;
  /** How long a pair that the price source does not know is not queried again. */
  readonly unknownMs: number = 300_000;
  /** Concurrent requests to one price source. */
  readonly atOnce: number = 4;
  /** Queued requests per price source, counted separately for callers that wait and for background requests. */
  readonly waiting: number = 64;
  /** Longest time in the queue. */
  readonly waitMs: number = 2_000;
  /** About 30 assets in every currency. */
  readonly maxPairs: number = 5_000;

  constructor(
    /** If empty, only pegged assets have prices. */
    readonly sources: readonly { readonly name: RateSourceName; readonly url: string }[],
    limits: Partial<Omit<RatesSettings, 'sources'>> = {},
  ) {
    Object.assign(this, limits);
  }
}
