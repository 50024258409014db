/**
 * Random histories against the real thing. Real in all of them: the node (anvil) with its reorganisations, PostgreSQL,
 * the API that issues requests, and all code of the worker from JSON-RPC over HTTP, through an endpoint that
 * misbehaves, to the ledger and the merchants' event log. Watchers run in this process, turn by turn, so that a history
 * repeats; they die by never sending another statement. In every twentieth run the watcher is a worker process of the
 * build that dies by SIGKILL, and its successors are as before; where exactly it dies does not repeat.
 */
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { judgeWorld } from './chain/chain-judge.js';
import { ChainRun } from './chain/chain-run.js';
import { Tally } from './chain/chain-tally.js';
import { WatchersInProcess, type Watchers } from './chain/chain-watchers.js';
import { WatchersWithWorker } from './chain/chain-worker.js';
import { ChainWorld } from './chain/chain-world.js';

/** The long form is `npm run evidence -- chain`. */
const LONG = process.env['EVIDENCE'] === 'long';
const RUNS = Number(process.env['RUNS'] ?? (LONG ? 1_000 : 8));
/** The seeds of the short form have one with a worker process among them. */
const FIRST_SEED = Number(process.env['SEED'] ?? (LONG ? 1 : 13));
/** A run leaves its state to those that follow; now and then all begins anew. */
const RUNS_IN_A_WORLD = 50;
const WITH_A_WORKER_EVERY = 20;
const ENOUGH_RUNS = 8;
const MUST_HAPPEN = ['reorganisations beyond finality', 'deaths of watchers', 'SIGKILLs of workers'];

const tally = new Tally();
let world: ChainWorld | null = null;

// Who dies in this process says so by an error, which others would log.
beforeAll(() => Logger.overrideLogger(false));

afterAll(async () => {
  await world?.close();
});

async function watchersOf(seed: number, random: SeededRandom): Promise<Watchers> {
  if (seed % WITH_A_WORKER_EVERY === 0) return WatchersWithWorker.start(world!, random);
  const endpoints = random.chance(0.6) ? 2 : 1;
  return new WatchersInProcess(world!, random, {
    confirmations: [5, 8, 12][random.whole(0, 2)]!,
    endpoints,
    ...(endpoints === 2 && random.chance(0.4) && { agreementAbove: '30' }),
  });
}

/** @returns what went wrong, with all that led to it */
async function failureOf(seed: number): Promise<string | null> {
  world ??= await ChainWorld.open(tally);
  const random = new SeededRandom(seed);
  const watchers = await watchersOf(seed, random);
  const run = await ChainRun.begin(world, random, watchers);
  try {
    await run.play();
    await judgeWorld(world);
    return null;
  } catch (error) {
    const what = error instanceof Error ? error.stack : String(error);
    return `${run.story.join('\n')}\n${what}\nAgain, alone: SEED=${seed} RUNS=1 npm run evidence -- chain\n`;
  } finally {
    await watchers.end();
  }
}

async function leaveWorld(): Promise<void> {
  await world?.close();
  world = null;
}

describe('Random histories of payers, chain, nodes and workers', () => {
  it(
    'leave chain, ledger and requests equal to the unit, and each request as the chain alone says',
    async () => {
      const failed: string[] = [];
      const begun = performance.now();
      for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
        if ((seed - FIRST_SEED) % RUNS_IN_A_WORLD === 0) await leaveWorld();
        const failure = await failureOf(seed);
        if (failure === null) continue;
        failed.push(`SEED=${seed}`);
        process.stdout.write(`With seed ${seed}:\n${failure}\n`);
        await leaveWorld();
      }
      await leaveWorld();

      report(performance.now() - begun);
      expect(failed).toEqual([]);
      // Of too few histories nothing follows, nor of harmless ones.
      if (RUNS >= ENOUGH_RUNS)
        for (const what of MUST_HAPPEN) expect([what, tally.of(what) > 0]).toEqual([what, true]);
    },
    LONG ? 3_600_000 : 300_000,
  );
});

function report(tookMs: number): void {
  const seconds = (tookMs / 1_000).toFixed(0);
  const of = (what: string) => `${tally.of(what)} ${what}`;
  process.stdout.write(
    `${RUNS} random runs in ${seconds} s, seeds from ${FIRST_SEED}: ${of('requests')}, ${of('transactions')}, ` +
      `${of('blocks')}, ${of('reorganisations')} of depth 1 to ${tally.of('deepest')}, ` +
      `${of('reorganisations beyond finality')}, ${of('deaths of watchers')}, ${of('SIGKILLs of workers')}\n` +
      ['outcomes', 'payments', 'faults that changed answers', 'alerts']
        .map((heading) => `  ${heading}: ${tally.list(heading)}\n`)
        .join('') +
      `  ${of('requests expired though paid in time, as the endpoint read first left the payment out')}\n`,
  );
}
