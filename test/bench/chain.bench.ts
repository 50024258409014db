import { afterAll, describe, expect, it } from '@jest/globals';
import { SeededRandom } from '../../src/shared/kernel/testing/seeded-random.js';
import { judgeWorld } from './chain-judge.js';
import { ChainRun } from './chain-run.js';
import { WatchersInProcess, type Watchers } from './chain-watchers.js';
import { WatchersWithWorker } from './chain-worker.js';
import { ChainWorld } from './chain-world.js';

/** The long form is `npm run evidence -- chain`. */
const LONG = process.env['EVIDENCE'] === 'long';
const RUNS = Number(process.env['RUNS'] ?? (LONG ? 1_000 : 25));
const FIRST_SEED = Number(process.env['SEED'] ?? 1);
/** Fresh ones now and then: what every run leaves behind is looked at by all that follow. */
const RUNS_IN_A_WORLD = 50;
const WITH_A_WORKER_EVERY = 20;

let world: ChainWorld | null = null;

afterAll(async () => {
  await world?.close();
}, 60_000);

async function watchersOf(seed: number, random: SeededRandom): Promise<Watchers> {
  if (seed % WITH_A_WORKER_EVERY === 0) return WatchersWithWorker.start(world!, random);
  const endpoints = random.chance(0.6) ? 2 : 1;
  return new WatchersInProcess(world!, random, {
    confirmations: [5, 8, 12][random.whole(0, 2)]!,
    endpoints,
    ...(endpoints === 2 && random.chance(0.4) && { agreementAbove: '30' }),
  });
}

describe('The truth of the chain', () => {
  it(
    'is told whatever payers, nodes, the chain and workers do',
    async () => {
      const failures: string[] = [];
      const begun = performance.now();
      for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
        if (world !== null && (seed - FIRST_SEED) % RUNS_IN_A_WORLD === 0) {
          await world.close();
          world = null;
        }
        world ??= await ChainWorld.open();
        const random = new SeededRandom(seed);
        const watchers = await watchersOf(seed, random);
        const run = await ChainRun.begin(world, random, watchers);
        const at = performance.now();
        try {
          await run.play();
          await judgeWorld(world);
        } catch (error) {
          failures.push(`SEED=${seed}`);
          process.stdout.write(`SEED=${seed} ${run.story.join('\n')}\n${(error as Error).stack}\n`);
          await watchers.end();
          await world.close();
          world = null;
        }
        process.stdout.write(`${seed}: ${(performance.now() - at).toFixed(0)} ms, ${run.timeline.blocks.length} blocks; ${run.payers.sent.size} txs; reorgs ${run.depths.join()} (${run.beyondFinality} beyond)\n`);
      }
      process.stdout.write(`${RUNS} runs in ${((performance.now() - begun) / 1000).toFixed(1)} s\n`);
      expect(failures).toEqual([]);
    },
    3_600_000,
  );
});
