/**
 * Random histories of payment requests on btcd, paid in the mempool, in blocks, in parts, late, replaced, forgotten and reorganised,
 * against a model that has the documents alone: a request's status, sum and deposits follow from the transactions that payers made,
 * and from the blocks that are left. Many requests share one chain; what becomes of each is drawn by its own seed.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { describeOnBtcd } from '../support/btcd.js';
import { described, planOf } from './bitcoin-histories/bitcoin-plan.js';
import { BitcoinRound } from './bitcoin-histories/bitcoin-round.js';
import { BitcoinWorld } from './bitcoin-histories/bitcoin-world.js';

/** The long form is `npm run evidence -- bitcoin-histories`. */
const LONG = process.env['EVIDENCE'] === 'long';
const RUNS = Number(process.env['RUNS'] ?? (LONG ? 1_000 : 8));
const FIRST_SEED = Number(process.env['SEED'] ?? 1);
/** Histories beside one another on one chain. */
const ROUND = Number(process.env['ROUND'] ?? 125);
/** The clock goes on by so much in a round, and no node takes blocks that are two hours ahead. */
const ROUND_MS = 17 * 60_000;

describeOnBtcd('Random histories of payments in bitcoin', () => {
  let world: BitcoinWorld | undefined;
  beforeAll(async () => {
    world = await BitcoinWorld.start();
  });
  afterAll(() => world?.stop());

  async function verify(): Promise<void> {
    expect(await world!.service.breaches()).toEqual([]);
    expect(await world!.broken()).toEqual([]);
  }

  it(
    'end as the chain and the times of first sight alone say, to the satoshi',
    async () => {
      const failed: string[] = [];
      const begun = performance.now();
      let undecided = 0;
      for (let first = FIRST_SEED; first < FIRST_SEED + RUNS; first += ROUND) {
        if (!(await world!.hasTimeFor(ROUND_MS))) {
          await verify();
          await world!.stop();
          world = await BitcoinWorld.start();
        }
        const count = Math.min(ROUND, FIRST_SEED + RUNS - first);
        const plans = Array.from({ length: count }, (_, i) => planOf(first + i, new SeededRandom(first + i)));
        const round = new BitcoinRound(world!, plans, new SeededRandom(first * 7_919));
        const differences = await round.play();
        undecided += round.undecided.size;
        for (const [plan, difference] of differences) {
          failed.push(`SEED=${plan.seed}`);
          process.stdout.write(`With seed ${plan.seed}: ${difference}\n  ${described(plan)}\n`);
        }
        const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
        process.stdout.write(
          `Seeds ${first} to ${first + count - 1} by ${seconds} s, ${differences.size} different, ${undecided} undecided in all. ` +
            `${tally(round.acts)}\n`,
        );
      }
      await verify();
      expect([failed, undecided]).toEqual([[], 0]);
    },
    LONG ? 10_800_000 : 600_000,
  );
});

function tally(acts: readonly string[]): string {
  return [...Map.groupBy(acts, (act) => act)].map(([act, { length }]) => `${length} × ${act}`).join(', ');
}
