import type { Asset } from '#shared/kernel/asset.js';

/** The price of one whole unit of an asset in a coin. */
export interface Rate {
  /** Decimal string, plain notation, above zero: what one whole unit of the asset costs in the coin. */
  readonly price: string;
  /** Who said so, in alphabetical order: `coinbase`, `kraken`; `peg` where no market was asked. */
  readonly sources: readonly string[];
  /** Since when it is known; of several that were combined the oldest. */
  readonly at: Date;
}

/** The treatment of a rate that memory lacks or that ages: it is asked for in the background, or left. */
export type Missing = 'ask' | 'leave';

/** The price of an asset in a coin: by a peg, by the market, or by two rates in the same currency. */
export abstract class Quotes {
  /**
   * May ask the sources, so never inside a unit of work.
   * @param coinCode ISO 4217 code or asset symbol
   * @param now by the database's clock; what a peg's rate is dated with
   * @returns null where the coin is the asset's own symbol: no rate applies
   * @throws DomainError rate_unavailable, also where the coin is neither a currency nor an asset of the catalogue
   */
  abstract quote(asset: Asset, coinCode: string, now: Date): Promise<Rate | null>;

  /** The answer of `quote` from memory alone. @returns undefined where it is not known now */
  abstract known(
    asset: Pick<Asset, 'symbol' | 'peg'>,
    coinCode: string,
    now: Date,
    missing: Missing,
  ): Rate | null | undefined;
}
