interface Queue {
  /** So many run or wait. */
  length: number;
  readonly waiting: (() => void)[];
}

/** Runs some work with the same key at once, within this process, and the rest in its order; work with other keys runs beside it. */
export class KeyedSlots {
  private readonly queues = new Map<string, Queue>();

  /**
   * @param atOnce most that run for one key: with 1 they run one after another
   * @param maxLength most that may run or wait for one key
   */
  constructor(
    private readonly atOnce: number,
    private readonly maxLength: number,
  ) {}

  /** @returns null at once where too many wait already */
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
      // The slot is handed on: whoever comes before the next one runs finds it counted.
      queue.waiting.shift()?.();
      if (queue.length === 0) this.queues.delete(key);
    }
  }
}
