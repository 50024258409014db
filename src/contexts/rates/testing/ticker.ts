import { AsyncLocalStorage } from 'node:async_hooks';
import {
  InconsistentPriceError,
  RateSource,
  type PriceSourceAnswer,
} from '../infrastructure/tickers/rate-source.js';

export const requests = new AsyncLocalStorage<string>();

export class Ticker extends RateSource {
  readonly asked: string[] = [];
  readonly askedInside: (string | undefined)[] = [];
  answer: () => Promise<PriceSourceAnswer> | PriceSourceAnswer = () => ({ priceIn: () => '100' });

  constructor(
    readonly name: string,
    readonly toPairQuery = (symbol: string, currency: string): string | undefined => `${symbol}/${currency}`,
  ) {
    super();
  }

  async query(question: string): Promise<PriceSourceAnswer> {
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
        throw new InconsistentPriceError('bid 90 and ask 110');
      },
    });
  }
}
