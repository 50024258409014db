import { isPrice } from '../../domain/price.js';
import { NoSuchPrice, RateSource, type SourcePrice } from './rate-source.js';
import { below, member, readJson } from './read-json.js';

/**
 * What one unit costs, from `GET /v2/exchange-rates?currency=`. Unknown symbols are answered with HTTP status 400.
 * @see https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates
 */
export class CoinbaseRates extends RateSource {
  readonly name = 'coinbase';

  constructor(private readonly url: string) {
    super();
  }

  async price(symbol: string, currency: string, signal: AbortSignal): Promise<SourcePrice> {
    if (!/^[A-Z0-9]{1,12}$/.test(symbol))
      throw new NoSuchPrice(`${symbol} is not how Coinbase spells a symbol`);
    const { status, body, at } = await readJson(
      below(this.url, 'v2/exchange-rates', { currency: symbol }),
      signal,
    );
    if (status !== 200) throw new NoSuchPrice(`HTTP status ${status}`);
    const data = member(body, 'data');
    // It has been seen to answer for USD whatever was asked for.
    if (member(data, 'currency') !== symbol) throw new NoSuchPrice('the answer is about another symbol');
    const price = member(member(data, 'rates'), currency);
    if (typeof price !== 'string' || !isPrice(price)) {
      throw new NoSuchPrice(`${currency} is missing, or not a decimal string above zero`);
    }
    return { price, ...(at && { at }) };
  }
}
