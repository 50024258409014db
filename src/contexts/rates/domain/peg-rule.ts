import type { Asset } from '#shared/kernel/asset.js';
import type { Rate } from '../contract/quotes.js';

/** The currency of comparison where neither coin nor asset is pegged to one. */
const COMMON_CURRENCY = 'USD';

type Priced = Pick<Asset, 'symbol' | 'peg'>;

/** The price of one unit in the common currency where that needs no market, or the symbol to ask the market for. */
export type Worth = Rate | string;

export interface Comparison {
  readonly currency: string;
  readonly asset: Worth;
  readonly coin: Worth;
}

/**
 * An asset and the currency that it is pegged to are priced 1:1, and no market is asked. The common currency is the coin's own,
 * else that of its peg, else that of the asset's: so a peg saves as many markets as it can.
 * @param coin an ISO 4217 code, or an asset that prices are named in
 * @param now by the database's clock; the time of a peg's rate
 */
export function comparisonByPegs(asset: Priced, coin: string | Priced, now: Date): Comparison {
  const worth = ({ symbol, peg }: Priced, currency: string): Worth =>
    peg === currency ? { price: '1', sources: ['peg'], at: now } : symbol;
  if (typeof coin === 'string') {
    return { currency: coin, asset: worth(asset, coin), coin: { price: '1', sources: [], at: now } };
  }
  const currency = coin.peg ?? asset.peg ?? COMMON_CURRENCY;
  return { currency, asset: worth(asset, currency), coin: worth(coin, currency) };
}
