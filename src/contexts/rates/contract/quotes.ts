import type { Asset } from '#shared/kernel/asset.js';

export interface Rate {
  /** Cost of one whole unit of the asset in the coin: a decimal string in plain notation, above zero. */
  readonly price: string;
  /**
   * Price sources that the rate comes from, in alphabetical order: `coinbase`, `kraken`, or `peg` if none was queried.
   */
  readonly sources: readonly string[];
  /** Time when the rate was fetched; the oldest time if several rates were combined. */
  readonly at: Date;
}

/** Requests a missing or aging rate in the background (`ask`), or does nothing (`leave`). */
export type MissingRateAction = 'ask' | 'leave';

export abstract class Quotes {
  /**
   * May query the price sources, so never call it inside a unit of work.
   * @returns null if the coin is the asset's own symbol, so that no rate applies
   */
  abstract quote(asset: Asset, coinCode: string, now: Date): Promise<Rate | null>;

  /** Returns the result of `quote` from cached rates only. */
  abstract cachedQuote(
    asset: Pick<Asset, 'symbol' | 'peg'>,
    coinCode: string,
    now: Date,
    missing: MissingRateAction,
  ): Rate | null | undefined;
}
