export type RateSourceName = 'kraken' | 'coinbase';

export interface RateLimits {
  /** For so long an answer is taken from memory without asking again, in milliseconds; 10,000 unless set. */
  readonly freshMs?: number;
  /** From that age on a price is no price any more, in milliseconds; 60,000 unless set. */
  readonly staleMs?: number;
  /** How far sources, or bid and ask, may lie apart; 200 (2%) unless set. */
  readonly maxSpreadBasisPoints?: number;
  /** For so long a source that failed is not asked, in milliseconds; 3,000 unless set. */
  readonly restMs?: number;
  /** The longest rest of a source that fails again and again, in milliseconds; 60,000 unless set. */
  readonly longestRestMs?: number;
  /** For so long a source is not asked again for what it says it does not know, in milliseconds; 300,000 unless set. */
  readonly unknownMs?: number;
  /** Most requests to one source at once; 4 unless set. */
  readonly atOnce?: number;
  /** Most that wait for each source's turn because somebody waits for them, and as many others; 64 unless set. */
  readonly waiting?: number;
  /** Longest wait for a turn, in milliseconds; 2,000 unless set. */
  readonly waitMs?: number;
  /** Most pairs of asset and currency kept in memory; 5,000 unless set, some 30 assets in every currency. */
  readonly maxPairs?: number;
}

export class RatesSettings {
  readonly freshMs: number;
  readonly staleMs: number;
  readonly maxSpreadBasisPoints: number;
  readonly restMs: number;
  readonly longestRestMs: number;
  readonly unknownMs: number;
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitMs: number;
  readonly maxPairs: number;

  constructor(
    /** Who is asked; nobody where empty, and then only pegs have prices. */
    readonly sources: readonly { readonly name: RateSourceName; readonly url: string }[],
    limits: RateLimits = {},
  ) {
    this.freshMs = limits.freshMs ?? 10_000;
    this.staleMs = limits.staleMs ?? 60_000;
    this.maxSpreadBasisPoints = limits.maxSpreadBasisPoints ?? 200;
    this.restMs = limits.restMs ?? 3_000;
    this.longestRestMs = limits.longestRestMs ?? 60_000;
    this.unknownMs = limits.unknownMs ?? 300_000;
    this.atOnce = limits.atOnce ?? 4;
    this.waiting = limits.waiting ?? 64;
    this.waitMs = limits.waitMs ?? 2_000;
    this.maxPairs = limits.maxPairs ?? 5_000;
  }
}
