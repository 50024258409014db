import { DomainError } from '#shared/kernel/domain-error.js';
import type { MissingRateAction, Rate } from './quotes.js';

/** Stores nothing and takes no locks. */
export abstract class ExchangeRates {
  /**
   * Answers from memory, or queries the price sources, which may take four seconds. Never call it inside a unit of
   * work.
   */
  abstract price(symbol: string, currency: string): Promise<Rate>;

  /**
   * @param missing `leave` for pages that list many rates which no payer is about to use
   */
  abstract cachedRate(symbol: string, currency: string, missing: MissingRateAction): Rate | undefined;
}

export function rateUnavailableError(asset: string, coin: string): DomainError {
  return new DomainError(
    'unavailable',
    'rate_unavailable',
    `There is no current price of ${asset} in ${coin}. Try again shortly, or choose another asset.`,
  );
}
