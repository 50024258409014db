import PQueue from 'p-queue';
import type { RatesSettings } from '../rates-settings.js';

/** The price source was not queried, so its answer is unknown. */
export class TooManyAsks extends Error {}

export interface QueuedAsk<T> {
  readonly answer: Promise<T>;
  /** Raises the request's priority, because a caller now waits for the answer. */
  readonly hurry: () => void;
}

const AWAITED = 1;
const BEHIND = 0;

/** Requests that a caller waits for come before background requests. */
export class AskQueue {
  private readonly queue: PQueue;
  private entered = 0;

  constructor(private readonly limits: Pick<RatesSettings, 'atOnce' | 'waiting' | 'waitMs'>) {
    this.queue = new PQueue({ concurrency: limits.atOnce });
  }

  enter<T>(ask: () => Promise<T>, isAwaited: boolean): QueuedAsk<T> {
    let priority = isAwaited ? AWAITED : BEHIND;
    if (this.queue.pending >= this.limits.atOnce && this.isFull(priority)) {
      return { answer: Promise.reject(tooMany()), hurry: () => undefined };
    }
    const id = String((this.entered += 1));
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(tooMany()), this.limits.waitMs).unref();
    let isWaiting = true;
    const begin = () => {
      isWaiting = false;
      clearTimeout(timer);
      return ask();
    };
    const answer = this.queue.add(begin, { id, priority, signal: patience.signal });
    const hurry = () => {
      if (!isWaiting || priority === AWAITED || patience.signal.aborted || this.isFull(AWAITED)) return;
      priority = AWAITED;
      this.queue.setPriority(id, AWAITED);
    };
    return { answer, hurry };
  }

  private isFull(priority: number): boolean {
    return this.queue.sizeBy({ priority }) >= this.limits.waiting;
  }
}

function tooMany(): TooManyAsks {
  return new TooManyAsks('Too many are waiting to ask.');
}
