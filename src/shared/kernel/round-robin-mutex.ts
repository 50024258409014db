/** Runs one call at a time within this process. The keys with waiting calls alternate. */
export class RoundRobinMutex {
  /** The key whose call ran last is the last entry. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private running: string | null = null;

  constructor(private readonly maxLength: number) {}

  run<T>(key: string, work: () => Promise<T>): Promise<T> | null {
    const length = (this.waiting.get(key)?.length ?? 0) + (this.running === key ? 1 : 0);
    return length >= this.maxLength ? null : this.runAfterOthers(key, work);
  }

  private async runAfterOthers<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.running === null) this.running = key;
    else await new Promise<void>((resolve) => this.enqueue(key, resolve));
    try {
      return await work();
    } finally {
      this.startNextKey();
    }
  }

  private enqueue(key: string, resolve: () => void): void {
    const others = this.waiting.get(key);
    if (others === undefined) this.waiting.set(key, [resolve]);
    else others.push(resolve);
  }

  /** Sets `running` before the next call starts, so that a new call that arrives in between waits behind it. */
  private startNextKey(): void {
    const [next] = this.waiting;
    this.running = next?.[0] ?? null;
    if (next === undefined) return;
    const [key, [first, ...others]] = next;
    this.waiting.delete(key);
    if (others.length > 0) this.waiting.set(key, others);
    first!();
  }
}
