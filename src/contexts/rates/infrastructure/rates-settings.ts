export type RateSourceName = 'kraken' | 'coinbase';

export class RatesSettings {
  /** How long an answer of a price source is served from memory without a new query, in milliseconds. */
  readonly freshMs: number = 10_000;
  /** Maximum age of a usable price, in milliseconds. */
  readonly staleMs: number = 60_000;
  /** Maximum distance between the prices of two price sources, or between bid and ask. Default: 2%. */
  readonly maxSpreadBasisPoints: number = 200;
  /** How long a price source is not queried after a failure, in milliseconds. */
  readonly restMs: number = 3_000;
  /** Longest pause after consecutive failures, in milliseconds. */
  readonly longestRestMs: number = 60_000;
  /** How long a price source is not queried again for a pair that it does not know, in milliseconds. */
  readonly unknownMs: number = 300_000;
  /** Maximum number of concurrent requests to one price source. */
  readonly atOnce: number = 4;
  /**
   * Maximum number of queued requests per price source that a caller waits for. The same maximum applies separately to
   * background requests.
   */
  readonly waiting: number = 64;
  /** Longest time of a request in the queue, in milliseconds. */
  readonly waitMs: number = 2_000;
  /** Maximum number of cached pairs of asset and currency: about 30 assets in every currency. */
  readonly maxPairs: number = 5_000;

  constructor(
    /** The price sources to query. If empty, only pegged assets have prices. */
    readonly sources: readonly { readonly name: RateSourceName; readonly url: string }[],
    limits: Partial<Omit<RatesSettings, 'sources'>> = {},
  ) {
    Object.assign(this, limits);
  }
}
