import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';

/** `npm run evidence -- <name of the file>` takes all of a matrix, the test commands what is drawn of it. */
const WHOLE = process.env['EVIDENCE'] === 'long';

const seed = Number(process.env['SEED'] ?? process.env['RUN_SEED'] ?? 1);
const random = new SeededRandom(seed);

/** @returns so many of them, in their order; all of them in the long form. SEED draws the same ones again */
export function drawn<T>(all: readonly T[], count: number): readonly T[] {
  if (WHOLE || all.length <= count) return all;
  const chosen = new Set(random.shuffled(all).slice(0, count));
  return all.filter((one) => chosen.has(one));
}
