import { isPrice } from '../../domain/prices.js';
import { NoSuchPrice, RateSource, SourceDown, type SourceAnswer } from './rate-source.js';
import { below, member, readJson } from './read-json.js';

/**
 * What one unit costs in every currency, from `GET /v2/exchange-rates?currency=`.
 * @see https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates
 */
export class CoinbaseRates extends RateSource {
  readonly name = 'coinbase';

  constructor(private readonly url: string) {
    super();
  }

  question(symbol: string): string | undefined {
    return /^[A-Z0-9]{1,12}$/.test(symbol) ? symbol : undefined;
  }

  async ask(symbol: string, signal: AbortSignal): Promise<SourceAnswer> {
    const url = below(this.url, 'v2/exchange-rates', { currency: symbol });
    const { status, body, at } = await readJson(url, signal);
    if (status === 400 && isAboutCurrency(body)) throw new NoSuchPrice('unknown currency');
    if (status !== 200) throw new SourceDown(`HTTP status ${status}`);
    const data = member(body, 'data');
    return { priceIn: (currency) => priceOf(data, symbol, currency), ...(at && { at }) };
  }
}

/** `{"errors":[{"id":"invalid_request","message":"Invalid currency (NOPE)"}]}`; any other refusal is no answer. */
function isAboutCurrency(body: unknown): boolean {
  const errors = member(body, 'errors');
  const message = member(Array.isArray(errors) ? errors[0] : body, 'message');
  return typeof message === 'string' && /\bcurrency\b/i.test(message);
}

function priceOf(data: unknown, symbol: string, currency: string): string {
  // It has been seen to answer for USD whatever was asked for.
  if (member(data, 'currency') !== symbol) throw new NoSuchPrice('the answer is about another symbol');
  const price = member(member(data, 'rates'), currency);
  if (typeof price === 'string' && isPrice(price)) return price;
  throw new NoSuchPrice(`${currency} is missing, or not a decimal string above zero`);
}
