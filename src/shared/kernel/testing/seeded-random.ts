/** Random choices that a seed repeats (mulberry32). */
export class SeededRandom {
  constructor(private state: number) {}

  /** A number from 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** A whole number of up to that many bits. */
  bits(count: number): bigint {
    let value = 0n;
    for (let left = count; left > 0; left -= 16)
      value = (value << 16n) | BigInt(this.whole(0, 2 ** Math.min(left, 16) - 1));
    return value;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => [this.next(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  }
}

/** Runs `check` with that many seeds; a failure says with which one it can be repeated. */
export function forEachSeed(count: number, check: (random: SeededRandom) => void): void {
  for (let seed = 1; seed <= count; seed += 1) {
    try {
      check(new SeededRandom(seed));
    } catch (error) {
      throw new Error(`With seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
}
