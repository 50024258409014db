import { DomainError } from '../../../shared/kernel/domain-error.js';
import type { Price } from '../domain/price.js';

/** What assets cost on markets, kept in the process's memory. Nothing is stored, and no lock is taken. */
export abstract class ExchangeRates {
  /**
   * Price of one unit of the asset with that symbol in the currency. Answers from memory while fresh, else asks the
   * sources, which may take two seconds: never inside a unit of work.
   * @throws DomainError rate_unavailable
   */
  abstract price(symbol: string, currency: string): Promise<Price>;

  /**
   * What memory holds, never past the staleness limit; undefined otherwise. Asks nobody, but starts to ask in the
   * background what it does not know or what ages.
   */
  abstract known(symbol: string, currency: string): Price | undefined;
}

export function rateUnavailable(asset: string, coin: string): DomainError {
  return new DomainError(
    'unavailable',
    'rate_unavailable',
    `There is no current price of ${asset} in ${coin}. Try again shortly, or choose another asset.`,
  );
}
