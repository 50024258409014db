import { DomainError } from '#shared/kernel/domain-error.js';
import type { Missing, Rate } from './quotes.js';

/** Cached in memory. Nothing is stored, and no lock is taken. */
export abstract class ExchangeRates {
  /**
   * Returns the price of one unit of the asset in the currency. Answers from memory until half of the staleness limit, else queries the
   * sources, which may take four seconds. Never call it inside a unit of work.
   * @throws DomainError rate_unavailable, also if too many callers are waiting
   */
  abstract price(symbol: string, currency: string): Promise<Rate>;

  /**
   * Returns the cached rate without waiting; undefined if there is none within the staleness limit.
   * @param missing `leave` if the page lists many rates that no payer is about to use
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
