import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '#shared/kernel/clock.js';
import { ExchangeRates, rateUnavailableError } from '../../contract/exchange-rates.js';
import type { MissingRateAction, Rate } from '../../contract/quotes.js';
import { medianWithinSpread } from '../../domain/median-within-spread.js';
import { PriceRequestQueueFullError } from './price-request-queue.js';
import { SegmentedLru } from './segmented-lru.js';
import { PriceSourceClient, type CachedPriceAnswer } from './price-source-client.js';
import { InconsistentPriceError, NoSuchPriceError, type RateSource } from './rate-source.js';
import type { RatesSettings } from '../rates-settings.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { RATES_LOG_EVENTS } from '../log-events.js';

/** Times are milliseconds of the process's monotonic clock, which clock changes do not affect. */
interface CachedPair {
  readonly symbol: string;
  readonly currency: string;
  held?: { readonly price: Rate; readonly askedAt: number; readonly trueAt: number };
  asking?: { readonly isAwaited: boolean; readonly done: Promise<void> };
  disputed: boolean;
}

interface SourcePrice extends Pick<CachedPriceAnswer, 'askedAt' | 'trueAt'> {
  readonly source: string;
  readonly price: string;
}

/** If no price source answers, or the price sources disagree, there is no price. */
export class CachedExchangeRates extends ExchangeRates {
  private readonly log = new OperatorLogWriter('rates', RATES_LOG_EVENTS);
  private readonly pairs: SegmentedLru<CachedPair>;
  private readonly asks: readonly PriceSourceClient[];
  /** Callers share one refresh, so it must not belong to the unit of work or request that started it. */
  private readonly outside = AsyncLocalStorage.snapshot();

  constructor(
    sources: readonly RateSource[],
    private readonly settings: RatesSettings,
    private readonly clock: Clock,
    /** Monotonic milliseconds. */
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    super();
    this.pairs = new SegmentedLru(settings.maxPairs, settings.freshMs, elapsed);
    this.asks = sources.map((source) => new PriceSourceClient(source, settings, elapsed));
  }

  async price(symbol: string, currency: string): Promise<Rate> {
    const pair = this.pair(symbol, currency);
    if (!this.isFresh(pair)) {
      if (this.isYoungerThan(pair, this.settings.staleMs / 2)) this.askBehind(pair);
      else await this.ask(pair, true);
    }
    const price = this.usable(pair);
    if (price === undefined) throw rateUnavailableError(symbol, currency);
    return price;
  }

  cachedRate(symbol: string, currency: string, missing: MissingRateAction): Rate | undefined {
    if (missing === 'leave') return this.usable(this.pairs.peek(`${symbol}/${currency}`));
    const pair = this.pair(symbol, currency);
    if (!this.isFresh(pair)) this.askBehind(pair);
    return this.usable(pair);
  }

  private pair(symbol: string, currency: string): CachedPair {
    const key = `${symbol}/${currency}`;
    const known = this.pairs.get(key);
    if (known !== undefined) return known;
    const pair = { symbol, currency, disputed: false };
    this.pairs.set(key, pair);
    return pair;
  }

  private usable(pair: CachedPair | undefined): Rate | undefined {
    return pair !== undefined && this.isYoungerThan(pair, this.settings.staleMs)
      ? pair.held!.price
      : undefined;
  }

  private isYoungerThan({ held }: CachedPair, ms: number): boolean {
    return held !== undefined && this.elapsed() - held.trueAt < ms;
  }

  private isFresh(pair: CachedPair): boolean {
    return this.usable(pair) !== undefined && this.elapsed() - pair.held!.askedAt < this.settings.freshMs;
  }

  private askBehind(pair: CachedPair): void {
    this.ask(pair, false).catch((error) =>
      this.log.write('rates.refresh_failed', { pair: nameOf(pair), reason: String(error) }),
    );
  }

  /** Runs at most one refresh per pair and priority. */
  private async ask(pair: CachedPair, isAwaited: boolean): Promise<void> {
    if (pair.asking === undefined || (isAwaited && !pair.asking.isAwaited)) {
      const done = this.outside(() => this.refresh(pair, isAwaited)).finally(() => {
        if (pair.asking === asking) delete pair.asking;
      });
      const asking = { isAwaited, done };
      pair.asking = asking;
    }
    await pair.asking.done;
  }

  /** Overload must not skip the comparison with a price source, so the cached price then stays unchanged. */
  private async refresh(pair: CachedPair, isAwaited: boolean): Promise<void> {
    try {
      const quotes = await Promise.all(this.asks.map((asks) => this.quoteOf(asks, pair, isAwaited)));
      const quoted = quotes.filter((quote) => quote !== undefined);
      if (quoted.length > 0) await this.hold(pair, quoted);
    } catch (error) {
      if (error instanceof InconsistentPriceError) this.dispute(pair, error.message);
      else if (!(error instanceof PriceRequestQueueFullError)) throw error;
    }
  }

  private async quoteOf(
    asks: PriceSourceClient,
    pair: CachedPair,
    isAwaited: boolean,
  ): Promise<SourcePrice | undefined> {
    const { symbol, currency } = pair;
    const answer = await asks.query(symbol, currency, isAwaited);
    if (answer === undefined || this.elapsed() - answer.trueAt >= this.settings.staleMs) return undefined;
    const source = asks.source.name;
    try {
      const { askedAt, trueAt } = answer;
      return { source, price: answer.priceIn(currency), askedAt, trueAt };
    } catch (error) {
      if (error instanceof InconsistentPriceError)
        throw new InconsistentPriceError(`${source}’s ${error.message}`);
      if (!(error instanceof NoSuchPriceError)) throw error;
      this.log.write('rates.pair_unknown', { source, pair: nameOf(pair), reason: error.message });
      return undefined;
    }
  }

  private async hold(pair: CachedPair, quoted: readonly SourcePrice[]): Promise<void> {
    const prices = quoted.map(({ price }) => price);
    const agreed = medianWithinSpread(prices, this.settings.maxSpreadBasisPoints);
    if (agreed === null) {
      throw new InconsistentPriceError(quoted.map(({ source, price }) => `${source} ${price}`).join(', '));
    }
    const [askedAt, trueAt] = [
      Math.min(...quoted.map((quote) => quote.askedAt)),
      Math.min(...quoted.map((quote) => quote.trueAt)),
    ];
    const now = await this.clock.now();
    const price: Rate = {
      price: agreed,
      sources: quoted.map(({ source }) => source).sort(),
      at: new Date(now.getTime() - (this.elapsed() - trueAt)),
    };
    pair.held = { price, askedAt, trueAt };
    pair.disputed = false;
  }

  /** Also drops the previous price, because the market has moved or a price source is wrong. */
  private dispute(pair: CachedPair, spread: string): void {
    delete pair.held;
    if (pair.disputed) return;
    pair.disputed = true;
    this.log.write('rates.disputed', { pair: nameOf(pair), prices: spread });
  }
}

function nameOf({ symbol, currency }: CachedPair): string {
  return `${symbol}/${currency}`;
}
