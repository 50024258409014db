import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Asset } from '#shared/kernel/asset.js';
import { NetworkCatalogue, type Network } from '#contexts/networks/contract/network-catalogue.js';
import type { Rate } from '../contract/quotes.js';
import { ExchangeRates, rateUnavailableError } from '../contract/exchange-rates.js';
import { QuoteAssets } from './quote-assets.js';

const NOW = new Date('2030-01-01T00:00:10Z');
const EARLIER = new Date('2030-01-01T00:00:00Z');
const EARLIEST = new Date('2029-12-31T23:59:55Z');

const asset = (symbol: string, peg?: string): Asset => ({
  uniqueAssetId: `nsandbox_t${symbol}`,
  network: 'sandbox',
  token: symbol,
  symbol,
  name: symbol,
  decimals: 6,
  minimumAmount: 1n,
  ...(peg !== undefined && { peg }),
});
const [usdc, dai, eurc, weth, wbtc] = [
  asset('USDC', 'USD'),
  asset('DAI', 'USD'),
  asset('EURC', 'EUR'),
  asset('WETH'),
  asset('WBTC'),
] as const;

class FiveAssets extends NetworkCatalogue {
  networks = (): readonly Network[] => [];
  network = () => undefined;
  assets = () => [usdc, dai, eurc, weth, wbtc];
  asset = () => undefined;
  acceptsPaymentRequests = () => true;
}

/** Exchange rates that a test sets. Records the requested pairs. */
class Blackboard extends ExchangeRates {
  readonly asked: string[] = [];
  readonly prices = new Map<string, Rate>();

  async price(symbol: string, currency: string): Promise<Rate> {
    const price = this.cachedRate(symbol, currency);
    if (price === undefined) throw rateUnavailableError(symbol, currency);
    return price;
  }

  cachedRate(symbol: string, currency: string): Rate | undefined {
    this.asked.push(`${symbol}/${currency}`);
    return this.prices.get(`${symbol}/${currency}`);
  }
}

let market: Blackboard;
let quotes: QuoteAssets;

beforeEach(() => {
  market = new Blackboard();
  quotes = new QuoteAssets(market, new FiveAssets());
  market.prices.set('WETH/EUR', { price: '2500.5', sources: ['coinbase', 'kraken'], at: EARLIER });
  market.prices.set('WETH/USD', { price: '3000', sources: ['coinbase', 'kraken'], at: EARLIER });
  market.prices.set('WBTC/USD', { price: '100000', sources: ['kraken'], at: EARLIEST });
  market.prices.set('USDC/EUR', { price: '0.9', sources: ['coinbase'], at: EARLIER });
});

describe('A price without a market', () => {
  it('is missing for an asset in itself', async () => {
    expect(await quotes.quote(weth, 'WETH', NOW)).toBeNull();
    expect(quotes.cachedQuote(weth, 'WETH', NOW, 'ask')).toBeNull();
    expect(market.asked).toEqual([]);
  });

  it.each([
    ['a stablecoin in its currency', usdc, 'USD'],
    ['one stablecoin in another of the same currency', dai, 'USDC'],
  ])('is 1 for %s', async (_, pegged, coin) => {
    const price = { price: '1', sources: ['peg'], at: NOW };

    expect(await quotes.quote(pegged, coin, NOW)).toEqual(price);
    expect(quotes.cachedQuote(pegged, coin, NOW, 'ask')).toEqual(price);
    expect(market.asked).toEqual([]);
  });
});

describe('A price from the market', () => {
  it.each([
    ['an asset in a currency', weth, 'EUR', '2500.5', ['coinbase', 'kraken'], EARLIER],
    ['an asset in a stablecoin', weth, 'DAI', '3000', ['coinbase', 'kraken', 'peg'], EARLIER],
    [
      'a stablecoin in an asset',
      usdc,
      'WETH',
      `0.000${'3'.repeat(18)}`,
      ['coinbase', 'kraken', 'peg'],
      EARLIER,
    ],
    [
      'a euro stablecoin in an asset',
      eurc,
      'WETH',
      '0.000399920015996800639',
      ['coinbase', 'kraken', 'peg'],
      EARLIER,
    ],
    ['an asset in another', weth, 'WBTC', '0.03', ['coinbase', 'kraken'], EARLIEST],
    ['a stablecoin in one of another currency', usdc, 'EURC', '0.9', ['coinbase', 'peg'], EARLIER],
  ])('is known for %s, with its sources and the oldest time', async (_, priced, coin, price, sources, at) => {
    expect(await quotes.quote(priced, coin, NOW)).toEqual({ price, sources, at });
    expect(quotes.cachedQuote(priced, coin, NOW, 'ask')).toEqual({ price, sources, at });
  });

  it('is missing if no source knows it, and is requested for both assets', async () => {
    market.prices.clear();

    expect(quotes.cachedQuote(weth, 'WBTC', NOW, 'ask')).toBeUndefined();
    expect(market.asked).toEqual(['WETH/USD', 'WBTC/USD']);
    await expect(quotes.quote(wbtc, 'EUR', NOW)).rejects.toMatchObject({ code: 'rate_unavailable' });
    await expect(quotes.quote(usdc, 'DEM', NOW)).rejects.toMatchObject({ code: 'rate_unavailable' });
  });
});
