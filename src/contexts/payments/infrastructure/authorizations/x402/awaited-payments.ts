import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { LiveCheckouts } from '../../checkout/polling/live-checkouts.js';

/** Proxies and clients commonly give up after 30 seconds. */
const WAIT_MS = 25_000;
/** The end of what was sent without a transfer is no change of the request. */
const LOOK_EVERY_MS = 5_000;
/** Most callers that wait in this process, and for one request. */
const MOST_WAITING = 500;
const MOST_FOR_ONE = 100;

/** Callers that wait until their payment is seen. They look when the request changes, not on their own clock. */
@Injectable()
export class AwaitedPayments implements BeforeApplicationShutdown {
  private readonly waiting = new Map<string, Set<Bell>>();
  private count = 0;
  private isClosing = false;

  constructor(private readonly live: LiveCheckouts) {}

  /**
   * @param look answers once the payment is seen
   * @param gone aborted when nobody waits for the answer any more
   * @returns undefined after 25 seconds, at the end of the process, and at once where as many wait as may
   */
  async until<T>(
    id: PaymentRequestId,
    look: () => Promise<T | undefined>,
    gone: AbortSignal,
  ): Promise<T | undefined> {
    const forOne = this.waiting.get(id) ?? new Set();
    if (this.isClosing || this.count >= MOST_WAITING || forOne.size >= MOST_FOR_ONE) return undefined;
    const bell = new Bell(WAIT_MS, gone);
    this.waiting.set(id, forOne.add(bell));
    this.count += 1;
    try {
      // Listens before the first look: a change between the two is not missed.
      const stop = await this.live.listen(id, () => bell.ring());
      try {
        return await lookUntilEnd(bell, look);
      } finally {
        stop();
      }
    } finally {
      bell.end();
      this.count -= 1;
      forOne.delete(bell);
      if (forOne.size === 0) this.waiting.delete(id);
    }
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
    for (const bells of this.waiting.values()) for (const bell of bells) bell.end();
  }
}

async function lookUntilEnd<T>(bell: Bell, look: () => Promise<T | undefined>): Promise<T | undefined> {
  for (;;) {
    const isLast = bell.hasEnded;
    const found = await look();
    if (found !== undefined || isLast) return found;
    await bell.next(LOOK_EVERY_MS);
  }
}

/** Rings for one who waits: at changes, and at the end. What rings while nobody waits is kept. */
class Bell {
  hasEnded = false;
  private hasRung = false;
  private wake: (() => void) | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    ms: number,
    private readonly gone: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.end(), ms);
    gone.addEventListener('abort', this.onGone);
    if (gone.aborted) this.end();
  }

  ring(): void {
    this.hasRung = true;
    this.wake?.();
  }

  end(): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.gone.removeEventListener('abort', this.onGone);
    this.ring();
  }

  /** Resolves at the next ring, at once where one was kept, or after `ms`. */
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

  private readonly onGone = () => this.end();
}
