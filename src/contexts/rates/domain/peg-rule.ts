import type { Asset } from '#shared/kernel/asset.js';
import { CURRENCIES } from '#shared/kernel/currency.js';
import type { Rate } from '../contract/quotes.js';

const COMMON_CURRENCY = 'USD';

type PricedAsset = Pick<Asset, 'symbol' | 'peg'>;

/** A price in the common currency if it needs no market, or the symbol to query the market for. */
export type PriceOrSymbol = Rate | string;

export interface CrossRateLegs {
  readonly currency: string;
  readonly asset: PriceOrSymbol;
  readonly coin: PriceOrSymbol;
}

/**
 * The common currency is the coin itself, else the coin's peg, else the asset's peg, so that pegs save as many market
 * queries as possible.
 */
export function findCrossRateLegs(asset: PricedAsset, coin: string | PricedAsset, now: Date): CrossRateLegs {
  const worth = ({ symbol, peg }: PricedAsset, currency: string): PriceOrSymbol =>
    peg === currency ? { price: '1', sources: ['peg'], at: now } : symbol;
  if (typeof coin === 'string') {
    return { currency: coin, asset: worth(asset, coin), coin: { price: '1', sources: [], at: now } };
  }
  const currency = coin.peg ?? asset.peg ?? COMMON_CURRENCY;
  return { currency, asset: worth(asset, currency), coin: worth(coin, currency) };
}

/** @param hasMarket false if the service has no price source, so that only pegged assets have prices */
export function listPriceCurrencies(assets: readonly PricedAsset[], hasMarket: boolean): readonly string[] {
  const pegs = assets.flatMap(({ peg }) => peg ?? []);
  return [...new Set([...pegs, ...assets.map(({ symbol }) => symbol), ...(hasMarket ? CURRENCIES : [])])];
}
