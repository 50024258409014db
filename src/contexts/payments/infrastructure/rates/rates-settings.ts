export type RateSourceName = 'kraken' | 'coinbase';

export interface RateLimits {
  /** For so long a price is answered from memory, in milliseconds; 10,000 unless set. */
  readonly freshMs?: number;
  /** From that age on a price is no price any more, in milliseconds; 60,000 unless set. */
  readonly staleMs?: number;
  /** How far sources, or bid and ask, may lie apart; 200 (2%) unless set. */
  readonly maxSpreadBasisPoints?: number;
  /** For so long what failed is not asked again, in milliseconds; 3,000 unless set. */
  readonly restMs?: number;
  /** Most pairs of asset and currency kept in memory; 500 unless set. */
  readonly maxPairs?: number;
}

export class RatesSettings {
  readonly freshMs: number;
  readonly staleMs: number;
  readonly maxSpreadBasisPoints: number;
  readonly restMs: number;
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
    this.maxPairs = limits.maxPairs ?? 500;
  }
}
