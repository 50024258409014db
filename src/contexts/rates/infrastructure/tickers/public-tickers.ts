import { isPrice } from '../../domain/prices.js';
import { medianWithinSpread } from '../../domain/median-within-spread.js';
import {
  NoSuchPriceError,
  RateSource,
  PriceSourceDownError,
  type PriceSourceAnswer,
  InconsistentPriceError,
} from './rate-source.js';
import { urlBelow, ownProperty, fetchPriceJson } from './fetch-price-json.js';
import type { RatesSettings } from '../rates-settings.js';

const KRAKEN_SYMBOLS: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };

/**
 * Kraken returns errors with HTTP status 200, in `error`.
 * @see https://docs.kraken.com/api/docs/rest-api/get-ticker-information
 */
export class KrakenRates extends RateSource {
  readonly name = 'kraken';

  constructor(
    private readonly url: string,
    private readonly maxSpreadBasisPoints: number,
  ) {
    super();
  }

  toPairQuery(symbol: string, currency: string): string | undefined {
    if (!/^[A-Z0-9]{1,12}$/.test(symbol)) return undefined;
    const base = Object.hasOwn(KRAKEN_SYMBOLS, symbol) ? KRAKEN_SYMBOLS[symbol]! : symbol;
    return base + currency;
  }

  async query(pair: string, signal: AbortSignal): Promise<PriceSourceAnswer> {
    const url = urlBelow(this.url, '0/public/Ticker', { pair });
    const { status, body, at } = await fetchPriceJson(url, signal);
    const errors = ownProperty(body, 'error');
    if (!Array.isArray(errors))
      throw new PriceSourceDownError(`HTTP status ${status}, without a response in the format of Kraken`);
    if (errors.length > 0) throw krakenErrorOf(String(errors[0]));
    const result = ownProperty(body, 'result');
    return { priceIn: (currency) => this.priceOf(result, pair, currency), ...(at && { at }) };
  }

  private priceOf(result: unknown, pair: string, currency: string): string {
    const ticker = tickerOf(result, pair.slice(0, -currency.length), currency);
    const [bid, ask] = [firstOf(ownProperty(ticker, 'b')), firstOf(ownProperty(ticker, 'a'))];
    const agreed = medianWithinSpread([bid, ask], this.maxSpreadBasisPoints);
    if (agreed === null) throw new InconsistentPriceError(`bid ${bid} and ask ${ask}`);
    return agreed;
  }
}

/**
 * `EQuery:` errors such as `EQuery:Unknown asset pair` concern the pair. `EService:Unavailable` and `EGeneral:Too
 * many requests` concern the price source.
 */
function krakenErrorOf(error: string): Error {
  const text = error.slice(0, 100);
  return text.startsWith('EQuery:') ? new NoSuchPriceError(text) : new PriceSourceDownError(text);
}

/** Kraken's older markets add X before assets and Z before currencies: XETHZEUR in the response to ETHEUR. */
function tickerOf(result: unknown, base: string, currency: string): unknown {
  const [name, ...others] = Object.keys(result ?? {});
  const asked = new RegExp(`^X?${base}Z?${currency}$`);
  if (name === undefined || others.length > 0 || !asked.test(name)) {
    throw new NoSuchPriceError('the response is not for the requested pair');
  }
  return ownProperty(result, name);
}

function firstOf(side: unknown): string {
  const [price] = Array.isArray(side) ? (side as unknown[]) : [];
  if (typeof price === 'string' && isPrice(price)) return price;
  throw new NoSuchPriceError('bid or ask is not a decimal string above zero');
}

/**
 * Reads `GET /v2/exchange-rates?currency=`.
 * @see https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates
 */
export class CoinbaseRates extends RateSource {
  readonly name = 'coinbase';

  constructor(private readonly url: string) {
    super();
  }

  toPairQuery(symbol: string): string | undefined {
    return /^[A-Z0-9]{1,12}$/.test(symbol) ? symbol : undefined;
  }

  async query(symbol: string, signal: AbortSignal): Promise<PriceSourceAnswer> {
    const url = urlBelow(this.url, 'v2/exchange-rates', { currency: symbol });
    const { status, body, at } = await fetchPriceJson(url, signal);
    if (status === 400 && isAboutCurrency(body)) throw new NoSuchPriceError('unknown currency');
    if (status !== 200) throw new PriceSourceDownError(`HTTP status ${status}`);
    const data = ownProperty(body, 'data');
    return { priceIn: (currency) => priceOf(data, symbol, currency), ...(at && { at }) };
  }
}

/**
 * True for Coinbase's error for an unknown currency: `{"errors":[{"id":"invalid_request","message":"Invalid currency
 * (NOPE)"}]}`.
 */
function isAboutCurrency(body: unknown): boolean {
  const errors = ownProperty(body, 'errors');
  const message = ownProperty(Array.isArray(errors) ? errors[0] : body, 'message');
  return typeof message === 'string' && /\bcurrency\b/i.test(message);
}

function priceOf(data: unknown, symbol: string, currency: string): string {
  // Coinbase has been observed to answer for USD regardless of the requested currency.
  if (ownProperty(data, 'currency') !== symbol)
    throw new NoSuchPriceError('the response is for another symbol');
  const price = ownProperty(ownProperty(data, 'rates'), currency);
  if (typeof price === 'string' && isPrice(price)) return price;
  throw new NoSuchPriceError(`${currency} is missing, or not a decimal string above zero`);
}

export function rateSources({ sources, maxSpreadBasisPoints }: RatesSettings): RateSource[] {
  return sources.map(({ name, url }) =>
    name === 'kraken' ? new KrakenRates(url, maxSpreadBasisPoints) : new CoinbaseRates(url),
  );
}
