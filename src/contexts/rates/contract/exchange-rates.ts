import { DomainError } from '#shared/kernel/domain-error.js';
import type { Missing, Rate } from './quotes.js';

/** Market prices of assets, cached in memory. Stores nothing and takes no locks. */
export abstract class ExchangeRates {
  /**
   * Returns the price of one unit of the asset in the currency. Answers from memory until half of the maximum age, else
   * queries the price sources, which may take four seconds. Never call it inside a unit of work.
   * @throws DomainError `rate_unavailable`, also if too many callers are waiting
   */
  abstract price(symbol: string, currency: string): Promise<Rate>;

  /**
   * Returns the cached rate without waiting; undefined if there is none within the maximum age.
   * @param missing `leave` for pages that list many rates which no payer is about to use
   */
  abstract known(symbol: string, currency: string, missing: Missing): Rate | undefined;
}

export function rateUnavailable(asset: string, coin: string): DomainError {
  return new DomainError(
    'unavailable',
    'rate_unavailable',
    `There is no current price of ${asset} in ${coin}. Try again shortly, or choose another asset.`,
  );
}
