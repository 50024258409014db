import type { Random } from './random.js';

/**
 * Draws a factor from a `most`-th to `most`, evenly on a logarithmic scale. Each seed does some kinds of things far more often than others,
 * and so comes to states that the average of all never does (swarm testing: Groce et al., ISSTA 2012).
 */
export function emphasis(random: Random, most: number): number {
  return most ** (random.whole(-100, 100) / 100);
}

/** @returns the items with weights that this seed alone has */
export function emphasised<T extends { readonly weight: number }>(
  items: readonly T[],
  random: Random,
  most: number,
): T[] {
  return items.map((item) => ({ ...item, weight: item.weight * emphasis(random, most) }));
}
