import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import type { Clock } from '../../../../shared/kernel/clock.js';
import { ExchangeRates, rateUnavailable } from '../../application/exchange-rates.js';
import { differByMore, medianOf, type Price } from '../../domain/price.js';
import { NoSuchPrice, type RateSource } from './rate-source.js';
import type { RatesSettings } from './rates-settings.js';

const TIMEOUT_MS = 2_000;

/** All times but a price's own are of the process's elapsed time, which no clock change moves. */
interface Pair {
  readonly symbol: string;
  readonly currency: string;
  held?: { readonly price: Price; readonly askedAt: number; readonly trueAt: number };
  asking?: Promise<void>;
  restsUntil: number;
  disputed: boolean;
}

interface Answer {
  readonly source: string;
  readonly price: string;
  readonly ageMs: number;
}

/**
 * The median of all sources that answer, kept for a while. One source down degrades; where none answers, or those that
 * do disagree, there is no price: never a guess.
 */
export class RememberedExchangeRates extends ExchangeRates {
  private readonly log = new Logger('rates');
  /** The one unused longest comes first. */
  private readonly pairs = new Map<string, Pair>();
  private readonly restsUntil = new Map<RateSource, number>();
  /** Many wait for one asking, so it must not run inside the unit of work or the request of whoever began it. */
  private readonly outside = AsyncLocalStorage.snapshot();

  constructor(
    private readonly sources: readonly RateSource[],
    private readonly settings: RatesSettings,
    private readonly clock: Clock,
    /** Milliseconds of real time. */
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    super();
  }

  async price(symbol: string, currency: string): Promise<Price> {
    const pair = this.pair(symbol, currency);
    if (!this.isFresh(pair)) await this.ask(pair);
    const price = this.usable(pair);
    if (price === undefined) throw rateUnavailable(symbol, currency);
    return price;
  }

  known(symbol: string, currency: string): Price | undefined {
    const pair = this.pair(symbol, currency);
    if (!this.isFresh(pair))
      this.ask(pair).catch((error) => this.log.warn(`No price was asked for: ${error}`));
    return this.usable(pair);
  }

  private pair(symbol: string, currency: string): Pair {
    const key = `${symbol}/${currency}`;
    const pair = this.pairs.get(key) ?? { symbol, currency, restsUntil: -Infinity, disputed: false };
    this.pairs.delete(key);
    this.pairs.set(key, pair);
    const [longestUnused] = this.pairs.keys();
    if (this.pairs.size > this.settings.maxPairs) this.pairs.delete(longestUnused!);
    return pair;
  }

  private isFresh(pair: Pair): boolean {
    return this.usable(pair) !== undefined && this.elapsed() - pair.held!.askedAt < this.settings.freshMs;
  }

  private usable({ held }: Pair): Price | undefined {
    return held !== undefined && this.elapsed() - held.trueAt < this.settings.staleMs
      ? held.price
      : undefined;
  }

  /** One asking at a time for each pair. @throws what the clock throws */
  private async ask(pair: Pair): Promise<void> {
    if (this.elapsed() < pair.restsUntil) return;
    pair.asking ??= this.outside(() => this.refresh(pair)).finally(() => delete pair.asking);
    await pair.asking;
  }

  private async refresh(pair: Pair): Promise<void> {
    const askedAt = this.elapsed();
    const [now, answers] = await Promise.all([
      this.clock.now(),
      Promise.all(this.sources.map((source) => this.answerOf(source, pair))),
    ]);
    const answered = answers.filter((answer) => answer !== undefined);
    if (answered.length === 0) return this.rest(pair);
    const prices = answered.map(({ price }) => price);
    if (differByMore(prices, this.settings.maxSpreadBasisPoints)) return this.dispute(pair, answered);
    const ageMs = Math.max(...answered.map((answer) => answer.ageMs));
    const price: Price = {
      price: medianOf(prices),
      sources: answered.map(({ source }) => source).sort(),
      at: new Date(now.getTime() - ageMs),
    };
    pair.held = { price, askedAt, trueAt: askedAt - ageMs };
    pair.disputed = false;
  }

  private rest(pair: Pair): void {
    pair.restsUntil = this.elapsed() + this.settings.restMs;
  }

  /** What was agreed before is forgotten too: the market has moved, or somebody lies. */
  private dispute(pair: Pair, answers: readonly Answer[]): void {
    delete pair.held;
    this.rest(pair);
    if (pair.disputed) return;
    pair.disputed = true;
    const said = answers.map(({ source, price }) => `${source} ${price}`).join(', ');
    this.log.error(`The price of ${pair.symbol} in ${pair.currency} is refused: too far apart are ${said}.`);
  }

  private async answerOf(source: RateSource, { symbol, currency }: Pair): Promise<Answer | undefined> {
    if (this.elapsed() < (this.restsUntil.get(source) ?? -Infinity)) return undefined;
    try {
      const { price, at } = await source.price(symbol, currency, AbortSignal.timeout(TIMEOUT_MS));
      const ageMs = at === undefined ? 0 : Math.max(0, Date.now() - at.getTime());
      if (ageMs >= this.settings.staleMs) throw new NoSuchPrice('its price is too old');
      if (this.restsUntil.delete(source)) this.log.log(`${source.name} answers again.`);
      return { source: source.name, price, ageMs };
    } catch (error) {
      if (error instanceof NoSuchPrice) {
        this.log.debug(`${source.name} has no price of ${symbol} in ${currency}: ${error.message}.`);
        return undefined;
      }
      if (!this.restsUntil.has(source)) this.log.warn(`${source.name} is away: ${(error as Error).message}.`);
      this.restsUntil.set(source, this.elapsed() + this.settings.restMs);
      return undefined;
    }
  }
}
