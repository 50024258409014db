/**
 * Random histories of transfers that are seen before they are in a block, against a model that shares no code with the service:
 * replaced to the same address and elsewhere, evicted, held again, mined late, reorganized, with stamps that go back, looks that are
 * not whole, and watchers that die between any two statements. After every look each request is compared, at the end every
 * invariant too.
 */
import { Logger } from '@nestjs/common';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { PendingHistory } from './pending/pending-history.js';

const LONG = process.env['EVIDENCE'] === 'long';
const RUNS = Number(process.env['RUNS'] ?? (LONG ? 1_000 : 2));
const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const STEPS = Number(process.env['STEPS'] ?? (LONG ? 40 : 20));

// Who dies in this process says so by an error, which others would log.
beforeAll(() => Logger.overrideLogger(false));

/** @returns what went wrong, with all that led to it */
async function failureOf(seed: number, tally: Map<string, number>): Promise<string | null> {
  const history = await PendingHistory.begin(new SeededRandom(seed));
  try {
    await history.play(STEPS);
    await history.end();
    expect(await history.world.broken()).toEqual({});
    return null;
  } catch (error) {
    return `${history.acts.join(' ')}\n${error instanceof Error ? error.message : String(error)}`;
  } finally {
    for (const act of [...history.acts, ...history.outcomes()]) tally.set(act, (tally.get(act) ?? 0) + 1);
    await history.world.close('any');
  }
}

describe('The watcher of unconfirmed transfers', () => {
  it(
    'agrees with an independent model after every step of random histories',
    async () => {
      const tally = new Map<string, number>();
      const failed: string[] = [];
      const begun = performance.now();
      for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
        const failure = await failureOf(seed, tally);
        if (failure === null) continue;
        failed.push(`SEED=${seed}`);
        process.stdout.write(
          `With seed ${seed}:\n${failure}\nAgain, alone: SEED=${seed} RUNS=1 STEPS=${STEPS} npm run evidence -- pending-histories\n`,
        );
      }
      const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
      const acts = [...tally].map(([act, count]) => `${count} ${act}`).join(', ');
      process.stdout.write(`${RUNS} histories in ${seconds} s, seeds from ${FIRST_SEED}: ${acts}\n`);
      expect(failed).toEqual([]);
    },
    LONG ? 7_200_000 : 300_000,
  );
});
