interface Queue {
  length: number;
  readonly waiting: (() => void)[];
}

/** Limits concurrent calls per key within this process. Excess calls wait in order. */
export class KeyedSemaphore {
  private readonly queues = new Map<string, Queue>();

  /** @param maxLength maximum number of calls that run or wait for one key */
  constructor(
    private readonly atOnce: number,
    private readonly maxLength: number,
  ) {}

  /** @returns null, without running `work`, if too many calls with this key already wait */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | null {
    const queue = this.queues.get(key) ?? { length: 0, waiting: [] };
    if (queue.length >= this.maxLength) return null;
    this.queues.set(key, queue);
    return this.runInSlot(key, queue, work);
  }

  private async runInSlot<T>(key: string, queue: Queue, work: () => Promise<T>): Promise<T> {
    queue.length += 1;
    if (queue.length > this.atOnce) await new Promise<void>((resolve) => queue.waiting.push(resolve));
    try {
      return await work();
    } finally {
      queue.length -= 1;
      // A finished call hands its slot to the next waiting call, so that a new call cannot take it.
      queue.waiting.shift()?.();
      if (queue.length === 0) this.queues.delete(key);
    }
  }
}
