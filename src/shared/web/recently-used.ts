/** Values by text. Forgets the one that was asked for longest ago when there are more than it may hold. */
export class RecentlyUsed<V> {
  /** A map keeps the order in which its keys were set: first comes what was used longest ago. */
  private readonly values = new Map<string, V>();

  constructor(private readonly most: number) {}

  get(key: string): V | undefined {
    const value = this.values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.values.delete(key);
    this.values.set(key, value);
    const [longestAgo] = this.values.keys();
    if (this.values.size > this.most && longestAgo !== undefined) this.values.delete(longestAgo);
  }
}
