import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { isCurrency } from '#shared/kernel/currency.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { type Missing, Quotes, type Rate } from '../contract/quotes.js';
import { crossPrice } from '../domain/prices.js';
import { ExchangeRates, rateUnavailable } from '../contract/exchange-rates.js';

/** Where neither coin nor asset names a currency. */
const COMMON_CURRENCY = 'USD';

/** The price of one unit in the common currency where that needs no market, or the symbol to ask the market for. */
type Worth = Rate | string;

interface Comparison {
  readonly currency: string;
  readonly asset: Worth;
  readonly coin: Worth;
}

@Injectable()
export class QuoteAssets extends Quotes {
  constructor(
    private readonly rates: ExchangeRates,
    private readonly catalogue: NetworkCatalogue,
  ) {
    super();
  }

  async quote(asset: Asset, coinCode: string, now: Date): Promise<Rate | null> {
    if (coinCode === asset.symbol) return null;
    const comparison = this.compare(asset, coinCode, now);
    if (comparison === undefined) throw rateUnavailable(asset.symbol, coinCode);
    const price = (worth: Worth) =>
      typeof worth === 'string' ? this.rates.price(worth, comparison.currency) : worth;
    return combined(...(await Promise.all([price(comparison.asset), price(comparison.coin)])));
  }

  known(asset: Asset, coinCode: string, now: Date, missing: Missing): Rate | null | undefined {
    if (coinCode === asset.symbol) return null;
    const comparison = this.compare(asset, coinCode, now);
    if (comparison === undefined) return undefined;
    const price = (worth: Worth) =>
      typeof worth === 'string' ? this.rates.known(worth, comparison.currency, missing) : worth;
    // Both are looked up before either is missed, because a look may start the asking.
    const [ofAsset, ofCoin] = [price(comparison.asset), price(comparison.coin)];
    return ofAsset && ofCoin && combined(ofAsset, ofCoin);
  }

  /** The coin's own currency, else the asset's: so that a peg saves as many markets as it can. */
  private compare(asset: Asset, coinCode: string, now: Date): Comparison | undefined {
    const pegged: Rate = { price: '1', sources: ['peg'], at: now };
    if (isCurrency(coinCode)) {
      return {
        currency: coinCode,
        asset: asset.peg === coinCode ? pegged : asset.symbol,
        coin: { price: '1', sources: [], at: now },
      };
    }
    const coin = this.catalogue.assets().find(({ symbol }) => symbol === coinCode);
    if (coin === undefined) return undefined;
    const currency = coin.peg ?? asset.peg ?? COMMON_CURRENCY;
    return {
      currency,
      asset: asset.peg === currency ? pegged : asset.symbol,
      coin: coin.peg === currency ? pegged : coin.symbol,
    };
  }
}

function combined(asset: Rate, coin: Rate): Rate {
  return {
    price: coin.price === '1' ? asset.price : crossPrice(asset.price, coin.price),
    sources: [...new Set([...asset.sources, ...coin.sources])].sort(),
    at: asset.at < coin.at ? asset.at : coin.at,
  };
}
