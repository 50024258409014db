/** Draws from one seed: the same draws in the same order on every machine (sfc32). */
export class Random {
  private readonly state: Uint32Array;

  constructor(seed: number) {
    this.state = Uint32Array.of(seed, seed >>> 16, 0x9e3779b9, 1);
    for (let round = 0; round < 15; round += 1) this.bits();
  }

  whole(from: number, to: number): number {
    return from + Math.floor((this.bits() / 0x1_0000_0000) * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.bits() < probability * 0x1_0000_0000;
  }

  oneOf<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('There is nothing to draw from.');
    return items[this.whole(0, items.length - 1)]!;
  }

  /** One of them, each drawn as often as its weight beside the others' says. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    const total = items.reduce((sum, { weight }) => sum + weight, 0);
    let left = (this.bits() / 0x1_0000_0000) * total;
    return items.find(({ weight }) => (left -= weight) < 0) ?? items.at(-1)!;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const all = [...items];
    for (let at = all.length - 1; at > 0; at -= 1) {
      const other = this.whole(0, at);
      [all[at], all[other]] = [all[other]!, all[at]!];
    }
    return all;
  }

  /** An independent source whose draws do not depend on how many this one has made since. */
  branch(): Random {
    return new Random(this.bits());
  }

  /** It draws from now on as a new source that `by` seeds. */
  restart(by: Random): void {
    this.state.set([by.bits(), by.bits(), by.bits(), 1]);
  }

  bits(): number {
    const [a, b, c, count] = this.state as unknown as [number, number, number, number];
    const drawn = (a + b + count) >>> 0;
    this.state[3] = count + 1;
    this.state[0] = b ^ (b >>> 9);
    this.state[1] = c + (c << 3);
    this.state[2] = ((c << 21) | (c >>> 11)) + drawn;
    return drawn;
  }
}

/**
 * Draws a factor from a `most`-th to `most`, evenly on a logarithmic scale. Each seed does some kinds of things far more often than others,
 * and so comes to states that the average of all never does (swarm testing: Groce et al., ISSTA 2012).
 */
export function emphasis(random: Random, most: number): number {
  return most ** (random.whole(-100, 100) / 100);
}

export function emphasised<T extends { readonly weight: number }>(
  items: readonly T[],
  random: Random,
  most: number,
): T[] {
  return items.map((item) => ({ ...item, weight: item.weight * emphasis(random, most) }));
}
