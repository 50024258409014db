import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { isCurrency } from '#shared/kernel/currency.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { type MissingRateAction, Quotes, type Rate } from '../contract/quotes.js';
import { type CrossRateLegs, findCrossRateLegs, type PriceOrSymbol } from '../domain/peg-rule.js';
import { crossPrice } from '../domain/prices.js';
import { ExchangeRates, rateUnavailableError } from '../contract/exchange-rates.js';

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
    if (comparison === undefined) throw rateUnavailableError(asset.symbol, coinCode);
    const price = (worth: PriceOrSymbol) =>
      typeof worth === 'string' ? this.rates.price(worth, comparison.currency) : worth;
    return combined(...(await Promise.all([price(comparison.asset), price(comparison.coin)])));
  }

  cachedQuote(
    asset: Pick<Asset, 'symbol' | 'peg'>,
    coinCode: string,
    now: Date,
    missing: MissingRateAction,
  ): Rate | null | undefined {
    if (coinCode === asset.symbol) return null;
    const comparison = this.compare(asset, coinCode, now);
    if (comparison === undefined) return undefined;
    const price = (worth: PriceOrSymbol) =>
      typeof worth === 'string' ? this.rates.cachedRate(worth, comparison.currency, missing) : worth;
    // Reads both prices before checking either, because reading a price may start a background request.
    const [ofAsset, ofCoin] = [price(comparison.asset), price(comparison.coin)];
    return ofAsset && ofCoin && combined(ofAsset, ofCoin);
  }

  private compare(
    asset: Pick<Asset, 'symbol' | 'peg'>,
    coinCode: string,
    now: Date,
  ): CrossRateLegs | undefined {
    const coin = isCurrency(coinCode)
      ? coinCode
      : (this.catalogue.assets().find(({ symbol }) => symbol === coinCode) ??
        this.catalogue.networks().find(({ nativeCoin }) => nativeCoin?.symbol === coinCode)?.nativeCoin);
    return coin === undefined ? undefined : findCrossRateLegs(asset, coin, now);
  }
}

function combined(asset: Rate, coin: Rate): Rate {
  return {
    price: coin.price === '1' ? asset.price : crossPrice(asset.price, coin.price),
    sources: [...new Set([...asset.sources, ...coin.sources])].sort(),
    at: asset.at < coin.at ? asset.at : coin.at,
  };
}
