import { PriceRequestQueue, type QueuedPriceRequest } from './price-request-queue.js';
import { SegmentedLru } from './segmented-lru.js';
import { NoSuchPriceError, type RateSource, type PriceSourceAnswer } from './rate-source.js';
import type { RatesSettings } from '../rates-settings.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { RATES_LOG_EVENTS } from '../log-events.js';

const TIMEOUT_MS = 2_000;

/** An answer with its times, in milliseconds of the process's monotonic clock. */
export interface CachedPriceAnswer extends PriceSourceAnswer {
  readonly askedAt: number;
  /** Time of the prices: `askedAt` minus the age that the price source reports for its answer. */
  readonly trueAt: number;
}

/** `answer` is undefined if the price source does not know the pair. */
interface CachedOutcome {
  readonly answer: CachedPriceAnswer | undefined;
  readonly keptUntil: number;
}

/** After a failure the price source is not queried for a pause, which doubles with each consecutive failure. */
export class PriceSourceClient {
  private readonly log = new OperatorLogWriter('rates', RATES_LOG_EVENTS);
  private readonly queue: PriceRequestQueue;
  private readonly outcomes: SegmentedLru<CachedOutcome>;
  private readonly asking = new Map<string, QueuedPriceRequest<CachedPriceAnswer | undefined>>();
  private failures = 0;
  private restsUntil = -Infinity;

  constructor(
    readonly source: RateSource,
    private readonly settings: RatesSettings,
    private readonly elapsed: () => number,
  ) {
    this.queue = new PriceRequestQueue(settings);
    this.outcomes = new SegmentedLru(settings.maxPairs, settings.freshMs, elapsed);
  }

  /**
   * @returns undefined if the price source is paused, fails, or does not know the pair
   */
  async query(symbol: string, currency: string, isAwaited: boolean): Promise<CachedPriceAnswer | undefined> {
    const question = this.source.toPairQuery(symbol, currency);
    if (question === undefined) return undefined;
    const outcome = this.outcomes.get(question);
    if (outcome !== undefined && this.elapsed() < outcome.keptUntil) return outcome.answer;
    if (this.rests()) return undefined;
    const asking = this.asking.get(question) ?? this.enter(question, isAwaited);
    if (isAwaited) asking.hurry();
    return asking.answer;
  }

  private enter(question: string, isAwaited: boolean): QueuedPriceRequest<CachedPriceAnswer | undefined> {
    const { answer, hurry } = this.queue.enter(() => this.ask(question), isAwaited);
    const asking = { answer: answer.finally(() => this.asking.delete(question)), hurry };
    this.asking.set(question, asking);
    return asking;
  }

  private async ask(question: string): Promise<CachedPriceAnswer | undefined> {
    // The price source may have been paused while this request was queued.
    if (this.rests()) return undefined;
    const askedAt = this.elapsed();
    try {
      const sourceAnswer = await this.source.query(question, AbortSignal.timeout(TIMEOUT_MS));
      const ageMs = sourceAnswer.at === undefined ? 0 : Math.max(0, Date.now() - sourceAnswer.at.getTime());
      const answer: CachedPriceAnswer = {
        priceIn: (currency) => sourceAnswer.priceIn(currency),
        askedAt,
        trueAt: askedAt - ageMs,
      };
      this.outcomes.set(question, { answer, keptUntil: askedAt + this.keptMs(ageMs) });
      this.answers();
      return answer;
    } catch (error) {
      if (error instanceof NoSuchPriceError) {
        this.log.write('rates.pair_unknown', {
          ...{ source: this.source.name, pair: question, reason: error.message },
        });
        const keptUntil = askedAt + this.settings.unknownMs;
        this.outcomes.set(question, { answer: undefined, keptUntil });
        this.answers();
      } else {
        this.fails(error as Error);
      }
      return undefined;
    }
  }

  /** The minimum of `restMs` avoids constant queries to a price source that returns old prices. */
  private keptMs(ageMs: number): number {
    const { freshMs, staleMs, restMs } = this.settings;
    return Math.max(restMs, Math.min(freshMs, staleMs - ageMs));
  }

  private rests(): boolean {
    return this.elapsed() < this.restsUntil;
  }

  /** A success during a pause belongs to a request sent before the pause, so it does not end it. */
  private answers(): void {
    if (this.rests() || this.failures === 0) return;
    this.failures = 0;
    this.log.write('rates.source_recovered', { source: this.source.name });
  }

  /** Ignores failures during a pause, because those requests were already running when it began. */
  private fails(error: Error): void {
    if (this.rests()) return;
    if (this.failures === 0)
      this.log.write('rates.source_failed', { source: this.source.name, reason: error.message });
    const { restMs, longestRestMs } = this.settings;
    this.restsUntil = this.elapsed() + Math.min(restMs * 2 ** this.failures, longestRestMs);
    this.failures += 1;
  }
}
