import { ExchangeRates, rateUnavailableError } from '../contract/exchange-rates.js';
import type { Rate } from '../contract/quotes.js';

export class SetRates extends ExchangeRates {
  readonly at = new Date('2026-03-01T11:59:50.000Z');
  private readonly prices = new Map<string, string>();
  beforeAnswer: (symbol: string) => void | Promise<void> = () => undefined;

  set(symbol: string, currency: string, price: string | null): void {
    if (price === null) this.prices.delete(`${symbol}/${currency}`);
    else this.prices.set(`${symbol}/${currency}`, price);
  }

  async price(symbol: string, currency: string): Promise<Rate> {
    await this.beforeAnswer(symbol);
    const price = this.cachedRate(symbol, currency);
    if (price === undefined) throw rateUnavailableError(symbol, currency);
    return price;
  }

  cachedRate(symbol: string, currency: string): Rate | undefined {
    const price = this.prices.get(`${symbol}/${currency}`);
    return price === undefined ? undefined : { price, sources: ['kraken'], at: this.at };
  }
}
