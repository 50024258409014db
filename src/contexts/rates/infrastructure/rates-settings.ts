export type RateSourceName = 'kraken' | 'coinbase';

export class RatesSettings {
  /** Milliseconds during which an answer is served from memory without a new query. */
  readonly freshMs: number = 10_000;
  /** Maximum age of a usable price, in milliseconds. */
  readonly staleMs: number = 60_000;
  /** Maximum distance between sources, or between bid and ask: 2%. */
  readonly maxSpreadBasisPoints: number = 200;
  /** Milliseconds during which a failed source is not queried. */
  readonly restMs: number = 3_000;
  /** Longest pause after consecutive failures, in milliseconds. */
  readonly longestRestMs: number = 60_000;
  /** Milliseconds during which a source is not queried again for a pair that it does not know. */
  readonly unknownMs: number = 300_000;
  /** Maximum concurrent requests to one source. */
  readonly atOnce: number = 4;
  /** Maximum queued requests per source that a caller waits for. The same maximum applies separately to background requests. */
  readonly waiting: number = 64;
  /** Longest time in the queue, in milliseconds. */
  readonly waitMs: number = 2_000;
  /** Maximum cached pairs of asset and currency: about 30 assets in every currency. */
  readonly maxPairs: number = 5_000;

  constructor(
    /** The sources to query. If empty, only pegged assets have prices. */
    readonly sources: readonly { readonly name: RateSourceName; readonly url: string }[],
    limits: Partial<Omit<RatesSettings, 'sources'>> = {},
  ) {
    Object.assign(this, limits);
  }
}
