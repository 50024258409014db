import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { LiveCheckouts } from '../../checkout/polling/live-checkouts.js';

/** Below the 30 seconds after which proxies and clients commonly give up. */
const WAIT_MS = 25_000;
/**
 * Interval of searches without a change, because a request does not change if its transaction ends without a transfer.
 */
const POLL_EVERY_MS = 5_000;
/** Limits of waiting callers in this process: in total, for each request, and for each caller. */
const MAX_WAITING = { all: 500, forRequest: 100, ofCaller: 10 };

export interface Waiting {
  readonly request: PaymentRequestId;
  /** Key shared by all callers that wait for the same payment. */
  readonly payment: string;
  /** Key of the caller in rate limits. */
  readonly caller: string;
  /** Aborted when the caller disconnects. */
  readonly gone: AbortSignal;
}

/** Search for one payment, shared by all callers that wait for it. */
interface Look<T> {
  readonly bell: Bell;
  readonly found: Promise<T | undefined>;
  waiting: number;
}

/**
 * Lets callers wait until their payment is seen. Searches for the payment when its request changes, once for all its
 * callers.
 */
@Injectable()
export class AwaitedPayments<T> implements BeforeApplicationShutdown {
  private readonly looks = new Map<string, Look<T>>();
  private readonly taken = new Map<string, number>();
  private isClosing = false;

  constructor(private readonly live: LiveCheckouts) {}

  /**
   * @param search resolves to a result once the payment is seen; later callers share the search of the first caller
   * @returns undefined after 25 seconds or at shutdown, and immediately if the limit of waiting callers is reached
   */
  async until(waiting: Waiting, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const places = placesOf(waiting);
    if (this.isClosing || places.some(([name, most]) => this.takenOf(name) >= most)) return undefined;
    for (const [name] of places) this.taken.set(name, this.takenOf(name) + 1);
    const key = `${waiting.request} ${waiting.payment}`;
    const shared = this.looks.get(key) ?? this.begin(key, waiting.request, look);
    shared.waiting += 1;
    const end = new End(WAIT_MS, waiting.gone);
    try {
      return await Promise.race([shared.found, end.reached]);
    } finally {
      end.forget();
      for (const [name] of places) this.free(name);
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        shared.bell.end();
        this.looks.delete(key);
      }
    }
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
    for (const { bell } of this.looks.values()) bell.end();
  }

  private begin(key: string, request: PaymentRequestId, look: () => Promise<T | undefined>): Look<T> {
    const bell = new Bell();
    const begun = { bell, found: this.lookUntilEnd(request, bell, look), waiting: 0 };
    this.looks.set(key, begun);
    return begun;
  }

  private async lookUntilEnd(
    request: PaymentRequestId,
    bell: Bell,
    look: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    // Subscribes before the first search, so that no change between them is missed.
    const stop = await this.live.listen(request, () => bell.ring());
    try {
      while (!bell.hasEnded) {
        const found = await look();
        if (found !== undefined) return found;
        await bell.next(POLL_EVERY_MS);
      }
      return undefined;
    } finally {
      stop();
    }
  }

  private takenOf(name: string): number {
    return this.taken.get(name) ?? 0;
  }

  private free(name: string): void {
    const left = this.takenOf(name) - 1;
    if (left === 0) this.taken.delete(name);
    else this.taken.set(name, left);
  }
}

function placesOf({ request, caller }: Waiting): readonly (readonly [name: string, most: number])[] {
  return [
    ['all', MAX_WAITING.all],
    [`for ${request}`, MAX_WAITING.forRequest],
    [`of ${caller}`, MAX_WAITING.ofCaller],
  ];
}

/** Resolves `reached` after a timeout or when the caller disconnects. */
class End {
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

  forget(): void {
    clearTimeout(this.timer);
    this.gone.removeEventListener('abort', this.reach);
  }
}

/** Wakes the search when the request changes or the search must end. Remembers one wake-up while the search is busy. */
class Bell {
  hasEnded = false;
  private hasRung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.hasRung = true;
    this.wake?.();
  }

  end(): void {
    this.hasEnded = true;
    this.ring();
  }

  /** Resolves at the next wake-up, immediately if one is remembered, or after `ms`. */
  async next(ms: number): Promise<void> {
    if (!this.hasRung && !this.hasEnded) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.wake = undefined;
    this.hasRung = false;
  }
}
