import { SeededRandom } from '../../src/shared/kernel/testing/seeded-random.js';

/** `npm run evidence -- <name of the file>` plays every round, `npm test` a few of them. */
export const WHOLE = process.env['EVIDENCE'] === 'long';

const seed = Number(process.env['SEED'] ?? Math.ceil(Math.random() * 1_000_000));
const random = new SeededRandom(seed);

/** @returns as many of the rounds, in their order; all of them in the long form. SEED draws the same again */
export function drawn<Round>(rounds: readonly Round[], count: number): readonly Round[] {
  if (WHOLE || rounds.length <= count) return rounds;
  const chosen = new Set(random.shuffled(rounds).slice(0, count));
  process.stdout.write(`${count} of ${rounds.length} rounds are drawn, with SEED=${seed}.\n`);
  return rounds.filter((round) => chosen.has(round));
}
