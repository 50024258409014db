import type { Asset } from '#shared/kernel/asset.js';

export interface Rate {
  /** Cost of one whole unit of the asset in the coin. Decimal string in plain notation, above zero. */
  readonly price: string;
  /** In alphabetical order: `coinbase`, `kraken`, or `peg` if no market was queried. */
  readonly sources: readonly string[];
  /** When the rate was fetched; the oldest time if several rates were combined. */
  readonly at: Date;
}

/** Treatment of a rate that is missing or aging in the cache: request it in the background, or do nothing. */
export type Missing = 'ask' | 'leave';

/** The price of an asset in a coin: from a peg, from the market, or from two market rates in the same currency. */
export abstract class Quotes {
  /**
   * May query the sources, so never call it inside a unit of work.
   * @param coinCode ISO 4217 code or asset symbol
   * @param now time of the database clock; the timestamp of a pegged rate
   * @returns null if the coin is the asset's own symbol: no rate applies
   * @throws DomainError rate_unavailable, also if the coin is neither a currency nor an asset of the catalogue
   */
  abstract quote(asset: Asset, coinCode: string, now: Date): Promise<Rate | null>;

  /** Returns the result of `quote` using only cached rates. @returns undefined if a rate is not cached */
  abstract known(
    asset: Pick<Asset, 'symbol' | 'peg'>,
    coinCode: string,
    now: Date,
    missing: Missing,
  ): Rate | null | undefined;
}
