/** Runs work with the same key one after another, within this process; work with other keys runs beside it. */
export class KeyedMutex {
  private readonly queues = new Map<string, { last: Promise<void>; length: number }>();

  /** @param maxLength most that may run or wait for one key */
  constructor(private readonly maxLength: number) {}

  /** @returns null at once where too many wait already */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | null {
    const queue = this.queues.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length >= this.maxLength) return null;
    const result = queue.last.then(work);
    const done = () => {
      queue.length -= 1;
      if (queue.length === 0) this.queues.delete(key);
    };
    queue.length += 1;
    queue.last = result.then(done, done);
    this.queues.set(key, queue);
    return result;
  }
}
