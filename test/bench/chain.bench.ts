import { describe, expect, it } from '@jest/globals';
import { SeededRandom } from '../../src/shared/kernel/testing/seeded-random.js';
import { judgeWorld } from './chain-judge.js';
import { ChainRun } from './chain-run.js';
import { WatchersInProcess } from './chain-watchers.js';
import { ChainWorld } from './chain-world.js';

/** The long form is `npm run evidence -- chain`. */
const LONG = process.env['EVIDENCE'] === 'long';
const RUNS = Number(process.env['RUNS'] ?? (LONG ? 1_000 : 25));
const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const RUNS_IN_A_WORLD = 50;

describe('The truth of the chain', () => {
  it(
    'is told whatever payers, nodes, the chain and workers do',
    async () => {
      let world: ChainWorld | null = null;
      const failures: string[] = [];
      const begun = performance.now();
      for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
        world ??= await ChainWorld.open();
        const random = new SeededRandom(seed);
        const watching = {
          confirmations: [5, 8, 12][random.whole(0, 2)]!,
          endpoints: random.whole(1, 2) as 1 | 2,
        };
        const watchers = new WatchersInProcess(world, random, watching);
        const run = await ChainRun.begin(world, random, watchers);
        const at = performance.now();
        try {
          await run.play();
          await judgeWorld(world);
        } catch (error) {
          failures.push(`SEED=${seed}`);
          process.stdout.write(`SEED=${seed} ${JSON.stringify(watching)}\n${run.story.join('\n')}\n${(error as Error).stack}\n`);
          for (const endpoint of world.endpoints) endpoint.behave();
          await world.close();
          world = null;
        }
        process.stdout.write(`${seed}: ${(performance.now() - at).toFixed(0)} ms, ${run.timeline.blocks.length} blocks; ${run.payers.sent.size} txs; reorgs ${run.depths.join()} (${run.beyondFinality} beyond), deaths ${watchers.deaths}, ${JSON.stringify([...watchers.alerts])}\n`);
      }
      await world?.close();
      process.stdout.write(`${RUNS} runs in ${((performance.now() - begun) / 1000).toFixed(1)} s\n`);
      expect(failures).toEqual([]);
    },
    3_600_000,
  );
});
