import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '#test/faults/orders.js';
import { NodeWorld, type NodeOrder } from '#test/faults/node-world.js';
import { publishFigure } from './figures.js';
import { FORM } from './measures.js';
import { setTimeout as sleep } from 'node:timers/promises';

/** The long form is `npm run evidence -- rpc-calls`. */
const LONG = FORM === 'long';
/** Like a roll-up. */
const BLOCK_SECONDS = 2;
const [IDLE_SECONDS, PAYMENTS] = ({ short: [20, 3], figures: [60, 3], long: [600, 100] } as const)[FORM];
/** Blocks below the newest one that anvil tags as finalized. */
const FINALIZED_BELOW = 65;
/** Calls are counted from here on, without those of the start. */
const WARM_SECONDS = LONG ? 60 : 10;

let world: NodeWorld;

beforeAll(async () => {
  world = await NodeWorld.start(2, {
    settles: true,
    settings: { WATCH_INTERVAL_MS: '' },
    network: (assets) => ({
      ...{ finality: { tag: 'finalized', typical_confirmations: 64 }, block_seconds: BLOCK_SECONDS },
      confirmations: [{ up_to: '100', in: 'USD', require: 5 }, { require: 'finalized' }],
      max_lag_seconds: 600,
      assets,
    }),
  });
  await world.service.chain.rpc('evm_setAutomine', [false]);
  await world.service.chain.rpc('evm_setIntervalMining', [BLOCK_SECONDS]);
}, 60_000);

afterAll(() => world?.stop());

/** Prints the calls that each endpoint received during the work, by method. @returns the calls of the first endpoint per block */
async function countCalls(name: string, work: () => Promise<void>): Promise<number> {
  for (const { calls } of world.endpoints) calls.clear();
  const first = await world.headNumber();
  await work();
  const blocks = (await world.headNumber()) - first;
  const perBlock = world.endpoints.map(({ calls }, index) => {
    const counts = [...calls].toSorted(([, a], [, b]) => b - a);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const methods = counts.map(([method, count]) => `${method} ${count}`).join(', ');
    process.stdout.write(
      `${name}, endpoint ${index + 1}: ${total} calls in ${blocks} blocks, ${(total / blocks).toFixed(2)} per block (${methods})\n`,
    );
    return total / blocks;
  });
  return perBlock[0]!;
}

describe('A worker on a network with a block every two seconds', () => {
  it('calls the first endpoint three times per block and ten times a minute at most, without payments', async () => {
    await sleep(WARM_SECONDS * 1_000);
    const perBlock = await countCalls('Idle', () => sleep(IDLE_SECONDS * 1_000));
    publishFigure({
      work: 'call the first RPC endpoint of an idle network',
      result: `${perBlock.toFixed(1)} calls per block`,
      measurement: 'rpc-calls',
    });
    // Three for each block, and ten a minute for everything else.
    expect(perBlock).toBeLessThan(3 + (10 / 60) * BLOCK_SECONDS + (LONG ? 0 : 2));
  }, 900_000);

  it('completes payments and settles them', async () => {
    await countCalls(`${PAYMENTS} payments until completed`, async () => {
      const orders: NodeOrder[] = [];
      for (let paid = 0; paid < PAYMENTS; paid += 1) {
        orders.push(await world.order('10.00'));
        await world.pay(orders.at(-1)!);
      }
      await world.allBecome('completed', orders, 120_000);
    });

    await world.service.chain.mine(FINALIZED_BELOW);
    await countCalls(`${PAYMENTS} payments until settled`, () =>
      until('all are settled', async () => (await unsettled()) === 0, { timeoutMs: 300_000 }),
    );
  }, 600_000);
});

async function unsettled(): Promise<number> {
  const [row] = await world.service.query<{ settled: string }>(
    'SELECT coalesce(sum(payment_count), 0) AS settled FROM settlement.settlements',
  );
  return PAYMENTS - Number(row!.settled);
}
