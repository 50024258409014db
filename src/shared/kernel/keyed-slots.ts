interface Queue {
  /** Number of calls that run or wait. */
  length: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits concurrent work for each key within this process. Excess work waits in order; different keys do not affect each
 * other.
 */
export class KeyedSlots {
  private readonly queues = new Map<string, Queue>();

  /**
   * @param atOnce maximum number of concurrent calls for one key; 1 runs them sequentially
   * @param maxLength maximum number of calls that run or wait for one key
   */
  constructor(
    private readonly atOnce: number,
    private readonly maxLength: number,
  ) {}

  /** @returns null immediately if too many calls already wait */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | null {
    const queue = this.queues.get(key) ?? { length: 0, waiting: [] };
    if (queue.length >= this.maxLength) return null;
    this.queues.set(key, queue);
    return this.inTurn(key, queue, work);
  }

  private async inTurn<T>(key: string, queue: Queue, work: () => Promise<T>): Promise<T> {
    queue.length += 1;
    if (queue.length > this.atOnce) await new Promise<void>((resolve) => queue.waiting.push(resolve));
    try {
      return await work();
    } finally {
      queue.length -= 1;
      // The slot passes to the next waiting call without being freed, so a call that arrives in between still counts it.
      queue.waiting.shift()?.();
      if (queue.length === 0) this.queues.delete(key);
    }
  }
}
