import PQueue from 'p-queue';
import type { RatesSettings } from '../rates-settings.js';

/** The price source was not queried, so its answer is unknown. */
export class PriceRequestQueueFullError extends Error {}

export interface QueuedPriceRequest<T> {
  readonly answer: Promise<T>;
  /** Raises the request's priority, because a caller now waits for the answer. */
  readonly hurry: () => void;
}

const AWAITED_PRIORITY = 1;
const BACKGROUND_PRIORITY = 0;

/** Requests that a caller waits for come before background requests. */
export class PriceRequestQueue {
  private readonly queue: PQueue;
  private entered = 0;

  constructor(private readonly limits: Pick<RatesSettings, 'atOnce' | 'waiting' | 'waitMs'>) {
    this.queue = new PQueue({ concurrency: limits.atOnce });
  }

  enter<T>(ask: () => Promise<T>, isAwaited: boolean): QueuedPriceRequest<T> {
    let priority = isAwaited ? AWAITED_PRIORITY : BACKGROUND_PRIORITY;
    if (this.queue.pending >= this.limits.atOnce && this.isFull(priority)) {
      return { answer: Promise.reject(tooManyRequestsError()), hurry: () => undefined };
    }
    const id = String((this.entered += 1));
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(tooManyRequestsError()), this.limits.waitMs).unref();
    let isWaiting = true;
    const begin = () => {
      isWaiting = false;
      clearTimeout(timer);
      return ask();
    };
    const answer = this.queue.add(begin, { id, priority, signal: patience.signal });
    const hurry = () => {
      if (
        !isWaiting ||
        priority === AWAITED_PRIORITY ||
        patience.signal.aborted ||
        this.isFull(AWAITED_PRIORITY)
      )
        return;
      priority = AWAITED_PRIORITY;
      this.queue.setPriority(id, AWAITED_PRIORITY);
    };
    return { answer, hurry };
  }

  private isFull(priority: number): boolean {
    return this.queue.sizeBy({ priority }) >= this.limits.waiting;
  }
}

function tooManyRequestsError(): PriceRequestQueueFullError {
  return new PriceRequestQueueFullError('Too many are waiting to ask.');
}
