/**
 * Things by their ids, in the order in which they came. It holds `room` recent ones; of those that fall out it keeps one in
 * eight, so that something very old can still be met.
 */
export class Shelf<T extends { readonly id: string }> {
  private recent: T[] = [];
  private old: T[] = [];
  private fallen = 0;

  constructor(private readonly room: number) {}

  /** Puts it in the place of the one with its id, or else at the end. */
  put(thing: T): T {
    for (const kept of [this.recent, this.old]) {
      const at = kept.findIndex(({ id }) => id === thing.id);
      if (at >= 0) return (kept[at] = thing);
    }
    this.recent.push(thing);
    if (this.recent.length > this.room) this.fall(this.recent.shift()!);
    return thing;
  }

  find(id: string): T | undefined {
    return this.recent.find((thing) => thing.id === id) ?? this.old.find((thing) => thing.id === id);
  }

  /** All that is kept, the oldest first. */
  all(): readonly T[] {
    return [...this.old, ...this.recent];
  }

  take(id: string): void {
    this.recent = this.recent.filter((thing) => thing.id !== id);
    this.old = this.old.filter((thing) => thing.id !== id);
  }

  private fall(thing: T): void {
    this.fallen += 1;
    if (this.fallen % 8 !== 0) return;
    this.old.push(thing);
    if (this.old.length > this.room / 4) this.old.shift();
  }
}
