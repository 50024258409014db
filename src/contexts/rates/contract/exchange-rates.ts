import { DomainError } from '#shared/kernel/domain-error.js';
import type { Missing, Rate } from './quotes.js';

/** The market prices of assets, kept in the process's memory. Nothing is stored, and no lock is taken. */
export abstract class ExchangeRates {
  /**
   * Rate of one unit of the asset with that symbol in the currency. Answers from memory up to half of the staleness
   * limit, else asks the sources, which may take four seconds: never inside a unit of work.
   * @throws DomainError rate_unavailable, also where too many others ask
   */
  abstract price(symbol: string, currency: string): Promise<Rate>;

  /**
   * The remembered rate, never past the staleness limit; undefined otherwise. Waits for nobody.
   * @param missing `leave` where many are shown that nobody is about to pay
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
