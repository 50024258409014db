interface Kept<V> {
  readonly value: V;
  readonly since: number;
}

/**
 * A bounded memory whose newcomers cannot push out what is in use. What is used again after a while moves from the
 * half for newcomers, which the oldest leaves first, to the half that the one unused longest leaves first.
 */
export class KeptInUse<V> {
  private readonly newcomers = new Map<string, Kept<V>>();
  private readonly inUse = new Map<string, Kept<V>>();

  constructor(
    private readonly most: number,
    /** After so long another use shows that the first was not the only one. */
    private readonly againMs: number,
    private readonly elapsed: () => number,
  ) {}

  /** Without that being a use. */
  look(key: string): V | undefined {
    return (this.inUse.get(key) ?? this.newcomers.get(key))?.value;
  }

  use(key: string): V | undefined {
    const kept = this.inUse.get(key) ?? this.newcomers.get(key);
    if (kept === undefined) return undefined;
    if (this.inUse.delete(key) || this.elapsed() - kept.since >= this.againMs) {
      this.newcomers.delete(key);
      this.add(this.inUse, key, kept);
    }
    return kept.value;
  }

  keep(key: string, value: V): void {
    const half = this.inUse.has(key) ? this.inUse : this.newcomers;
    const since = half.get(key)?.since ?? this.elapsed();
    half.delete(key);
    this.add(half, key, { value, since });
  }

  private add(half: Map<string, Kept<V>>, key: string, kept: Kept<V>): void {
    half.set(key, kept);
    const [first] = half.keys();
    if (half.size > Math.ceil(this.most / 2)) half.delete(first!);
  }
}
