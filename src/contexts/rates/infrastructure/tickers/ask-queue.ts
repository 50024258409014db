import PQueue from 'p-queue';
import type { RatesSettings } from '../rates-settings.js';

/** Too many were waiting, or one waited too long: it was not asked, and what the answer were is not known. */
export class TooManyAsks extends Error {}

export interface QueuedAsk<T> {
  readonly answer: Promise<T>;
  /** Somebody waits for it now. */
  readonly hurry: () => void;
}

const AWAITED = 1;
const BEHIND = 0;

/** Lets a few asks run at once. Those that somebody waits for come before the others, and no line grows without end. */
export class AskQueue {
  private readonly queue: PQueue;
  private entered = 0;

  constructor(private readonly limits: Pick<RatesSettings, 'atOnce' | 'waiting' | 'waitMs'>) {
    this.queue = new PQueue({ concurrency: limits.atOnce });
  }

  /** The answer rejects with TooManyAsks where the ask never ran. */
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
