import { LRUCache } from 'lru-cache';

interface CacheEntry<V> {
  readonly value: V;
  readonly since: number;
}

/**
 * New entries cannot evict entries in use: an entry used again after `promoteAfterMs` moves from the probationary
 * half to the protected half.
 */
export class SegmentedLru<V> {
  /** Read only with `peek`, so that a use does not make an entry younger. */
  private readonly probationary: LRUCache<string, CacheEntry<V>>;
  private readonly protectedEntries: LRUCache<string, CacheEntry<V>>;

  constructor(
    most: number,
    private readonly promoteAfterMs: number,
    private readonly elapsed: () => number,
  ) {
    const max = Math.ceil(most / 2);
    this.probationary = new LRUCache({ max });
    this.protectedEntries = new LRUCache({ max });
  }

  /** Reads an entry without counting as a use. */
  peek(key: string): V | undefined {
    return (this.protectedEntries.peek(key) ?? this.probationary.peek(key))?.value;
  }

  get(key: string): V | undefined {
    const used = this.protectedEntries.get(key);
    if (used !== undefined) return used.value;
    const kept = this.probationary.peek(key);
    if (kept !== undefined && this.elapsed() - kept.since >= this.promoteAfterMs) {
      this.probationary.delete(key);
      this.protectedEntries.set(key, kept);
    }
    return kept?.value;
  }

  set(key: string, value: V): void {
    const half = this.protectedEntries.has(key) ? this.protectedEntries : this.probationary;
    half.set(key, { value, since: half.peek(key)?.since ?? this.elapsed() });
  }
}
