import { AsyncLocalStorage } from 'node:async_hooks';
import { DisputedPrice, RateSource, type SourceAnswer } from '../infrastructure/tickers/rate-source.js';

export const requests = new AsyncLocalStorage<string>();

export class Ticker extends RateSource {
  readonly asked: string[] = [];
  readonly askedInside: (string | undefined)[] = [];
  answer: () => Promise<SourceAnswer> | SourceAnswer = () => ({ priceIn: () => '100' });

  constructor(
    readonly name: string,
    readonly question = (symbol: string, currency: string): string | undefined => `${symbol}/${currency}`,
  ) {
    super();
  }

  async ask(question: string): Promise<SourceAnswer> {
    this.asked.push(question);
    this.askedInside.push(requests.getStore());
    return this.answer();
  }

  says(price: string, ageMs?: number): void {
    this.answer = () => ({
      priceIn: () => price,
      ...(ageMs !== undefined && { at: new Date(Date.now() - ageMs) }),
    });
  }

  fails(error: Error): void {
    this.answer = () => Promise.reject(error);
  }

  disputes(): void {
    this.answer = () => ({
      priceIn: () => {
        throw new DisputedPrice('bid 90 and ask 110');
      },
    });
  }
}
