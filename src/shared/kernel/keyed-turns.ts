/** Runs one piece of work at a time within this process: the first of each key in turn, and those of one key in their order. */
export class KeyedTurns {
  /** Work that waits, by key; the key that had its turn last is the last entry. */
  private readonly waiting = new Map<string, (() => void)[]>();
  /** The key of the work that runs. */
  private running: string | null = null;

  /** @param maxLength most that may run or wait for one key */
  constructor(private readonly maxLength: number) {}

  /** @returns null, and runs nothing, where too many of the key wait already */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | null {
    const length = (this.waiting.get(key)?.length ?? 0) + (this.running === key ? 1 : 0);
    return length >= this.maxLength ? null : this.inTurn(key, work);
  }

  private async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.running === null) this.running = key;
    else await new Promise<void>((resolve) => this.wait(key, resolve));
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  private wait(key: string, resolve: () => void): void {
    const others = this.waiting.get(key);
    if (others === undefined) this.waiting.set(key, [resolve]);
    else others.push(resolve);
  }

  /** The next one has its turn from now on: whoever comes before it runs finds it there. */
  private handOn(): void {
    const [next] = this.waiting;
    this.running = next?.[0] ?? null;
    if (next === undefined) return;
    const [key, [first, ...others]] = next;
    this.waiting.delete(key);
    if (others.length > 0) this.waiting.set(key, others);
    first!();
  }
}
