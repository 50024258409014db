export type RateSourceName = 'kraken' | 'coinbase';

export class RatesSettings {
  /** For so long an answer is taken from memory without asking again, in milliseconds. */
  readonly freshMs: number = 10_000;
  /** A price of this age is not used any more, in milliseconds. */
  readonly staleMs: number = 60_000;
  /** How far sources, or bid and ask, may lie apart: 2%. */
  readonly maxSpreadBasisPoints: number = 200;
  /** For so long a source that failed is not asked, in milliseconds. */
  readonly restMs: number = 3_000;
  /** The longest rest of a source that fails again and again, in milliseconds. */
  readonly longestRestMs: number = 60_000;
  /** For so long a source is not asked again for what it says it does not know, in milliseconds. */
  readonly unknownMs: number = 300_000;
  /** Most requests to one source at once. */
  readonly atOnce: number = 4;
  /** Most that wait for each source's turn because somebody waits for them, and as many others. */
  readonly waiting: number = 64;
  /** Longest wait for a turn, in milliseconds. */
  readonly waitMs: number = 2_000;
  /** Most pairs of asset and currency kept in memory: some 30 assets in every currency. */
  readonly maxPairs: number = 5_000;

  constructor(
    /** Who is asked; nobody where empty, and then only pegs have prices. */
    readonly sources: readonly { readonly name: RateSourceName; readonly url: string }[],
    limits: Partial<Omit<RatesSettings, 'sources'>> = {},
  ) {
    Object.assign(this, limits);
  }
}
