import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { CachedCheckoutReader } from '../../checkout/polling/cached-checkout-reader.js';

/** Below the 30 seconds after which proxies and clients commonly give up. */
const WAIT_MS = 25_000;
/** Searches without a change, because a request does not change if its transaction ends without a transfer. */
const POLL_EVERY_MS = 5_000;
/** Limits of waiting callers in total, for each request, and for each caller. */
const MAX_WAITING = { all: 500, forRequest: 100, ofCaller: 10 };

export interface WaitingCaller {
  readonly request: PaymentRequestId;
  readonly payment: string;
  readonly caller: string;
  readonly gone: AbortSignal;
}

interface PaymentSearch<T> {
  readonly wakeUp: SearchWakeUp;
  readonly found: Promise<T | undefined>;
  waiting: number;
}

/** Searches for a payment when its request changes, once for all callers that wait for it. */
@Injectable()
export class AwaitedPayments<T> implements BeforeApplicationShutdown {
  private readonly searches = new Map<string, PaymentSearch<T>>();
  private readonly callersByLimit = new Map<string, number>();
  private isClosing = false;

  constructor(private readonly live: CachedCheckoutReader) {}

  /**
   * @param search shared by all callers that wait for the payment
   * @returns undefined after 25 seconds or at shutdown, and immediately if the limit of waiting callers is reached
   */
  async waitForPayment(waiting: WaitingCaller, search: () => Promise<T | undefined>): Promise<T | undefined> {
    const places = limitsOfCaller(waiting);
    if (this.isClosing || places.some(([name, most]) => this.countCallers(name) >= most)) return undefined;
    for (const [name] of places) this.callersByLimit.set(name, this.countCallers(name) + 1);
    const key = `${waiting.request} ${waiting.payment}`;
    const shared = this.searches.get(key) ?? this.startSearch(key, waiting.request, search);
    shared.waiting += 1;
    const end = new WaitEnd(WAIT_MS, waiting.gone);
    try {
      return await Promise.race([shared.found, end.reached]);
    } finally {
      end.stopTimer();
      for (const [name] of places) this.releasePlace(name);
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        shared.wakeUp.endSearch();
        this.searches.delete(key);
      }
    }
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
    for (const { wakeUp } of this.searches.values()) wakeUp.endSearch();
  }

  private startSearch(
    key: string,
    request: PaymentRequestId,
    search: () => Promise<T | undefined>,
  ): PaymentSearch<T> {
    const wakeUp = new SearchWakeUp();
    const started = { wakeUp, found: this.searchUntilEnd(request, wakeUp, search), waiting: 0 };
    this.searches.set(key, started);
    return started;
  }

  private async searchUntilEnd(
    request: PaymentRequestId,
    wakeUp: SearchWakeUp,
    search: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    // Subscribes before the first search, so that no change between them is missed.
    const stop = await this.live.listen(request, () => wakeUp.wakeSearch());
    try {
      while (!wakeUp.hasEnded) {
        const found = await search();
        if (found !== undefined) return found;
        await wakeUp.waitForWakeUp(POLL_EVERY_MS);
      }
      return undefined;
    } finally {
      stop();
    }
  }

  private countCallers(name: string): number {
    return this.callersByLimit.get(name) ?? 0;
  }

  private releasePlace(name: string): void {
    const left = this.countCallers(name) - 1;
    if (left === 0) this.callersByLimit.delete(name);
    else this.callersByLimit.set(name, left);
  }
}

function limitsOfCaller({
  request,
  caller,
}: WaitingCaller): readonly (readonly [name: string, most: number])[] {
  return [
    ['all', MAX_WAITING.all],
    [`for ${request}`, MAX_WAITING.forRequest],
    [`of ${caller}`, MAX_WAITING.ofCaller],
  ];
}

class WaitEnd {
  readonly reached: Promise<undefined>;
  private reach: () => void = () => undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    ms: number,
    private readonly gone: AbortSignal,
  ) {
    this.reached = new Promise((resolve) => (this.reach = () => resolve(undefined)));
    this.timer = setTimeout(this.reach, ms);
    gone.addEventListener('abort', this.reach);
    if (gone.aborted) this.reach();
  }

  stopTimer(): void {
    clearTimeout(this.timer);
    this.gone.removeEventListener('abort', this.reach);
  }
}

/** Remembers one wake-up while the search is busy. */
class SearchWakeUp {
  hasEnded = false;
  private hasPendingWakeUp = false;
  private resolveWait: (() => void) | undefined;

  wakeSearch(): void {
    this.hasPendingWakeUp = true;
    this.resolveWait?.();
  }

  endSearch(): void {
    this.hasEnded = true;
    this.wakeSearch();
  }

  /** Resolves immediately if a wake-up is remembered, or after `ms`. */
  async waitForWakeUp(ms: number): Promise<void> {
    if (!this.hasPendingWakeUp && !this.hasEnded) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.resolveWait = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.resolveWait = undefined;
    this.hasPendingWakeUp = false;
  }
}
