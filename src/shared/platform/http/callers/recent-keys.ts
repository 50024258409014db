/** How many keys are remembered at most: some tens of megabytes. */
const MOST_KEYS = 100_000;

/**
 * Values by key in bounded memory: those not asked for longest are forgotten. Two generations, the older dropped whole: a
 * single map would have to look for its oldest key at every new one.
 */
export class RecentKeys<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();

  constructor(private readonly mostKeys: number = MOST_KEYS) {}

  get(key: string): Value | undefined {
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const old = this.old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: Value): void {
    if (this.old.size > 0) this.old.delete(key);
    this.young.set(key, value);
    if (this.young.size * 2 < this.mostKeys) return;
    this.old = this.young;
    this.young = new Map();
  }

  /** For tests of what is kept. */
  get size(): number {
    return this.young.size + this.old.size;
  }
}
