import { CoinbaseRates } from './coinbase-rates.js';
import { KrakenRates } from './kraken-rates.js';
import type { RateSource } from './rate-source.js';
import type { RatesSettings } from '../rates-settings.js';

/** The public tickers that the settings name. */
export function rateSources({ sources, maxSpreadBasisPoints }: RatesSettings): RateSource[] {
  return sources.map(({ name, url }) =>
    name === 'kraken' ? new KrakenRates(url, maxSpreadBasisPoints) : new CoinbaseRates(url),
  );
}
