import { describe, expect, it } from '@jest/globals';
import { NodeWorld, type NodeOrder } from '#test/faults/node-world.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { allows } from '../support/rpc/rpc-replies.js';
import { shown } from './measures.js';

const LONG = process.env['EVIDENCE'] === 'long';
const BLOCK_SECONDS = 2;
/** Confirmations of these payments. */
const REQUIRED = 5;
const PAYMENTS = LONG ? 20 : 3;
const CALM_SECONDS = LONG ? 30 : 10;

describe('A worker whose endpoints allow few calls', () => {
  it.each([
    [12, 'that the settings state', { max_calls_per_second: 12 }],
    [12, 'that it learns from refusals', {}],
    [3, 'that the settings state', { max_calls_per_second: 3 }],
    [3, 'that it learns from refusals', {}],
  ])(
    'completes payments soon after their confirmation: %d per second, %s',
    async (callsPerSecond, _, limit) => {
      const world = await NodeWorld.start(2, {
        settles: true,
        settings: { WATCH_INTERVAL_MS: '' },
        network: (assets) => ({
          ...{ finality: { tag: 'finalized', typical_confirmations: 64 }, block_seconds: BLOCK_SECONDS },
          confirmations: [{ up_to: '100', in: 'USD', require: REQUIRED }, { require: 'finalized' }],
          ...{ max_lag_seconds: 600, assets, ...limit },
        }),
      });
      try {
        await world.service.chain.rpc('evm_setAutomine', [false]);
        await world.service.chain.rpc('evm_setIntervalMining', [BLOCK_SECONDS]);
        for (const endpoint of world.endpoints) endpoint.misbehave(allows(callsPerSecond));
        await sleep(CALM_SECONDS * 1_000);
        const delays: number[] = [];
        for (let n = 0; n < PAYMENTS; n += 1) {
          const order = await world.order('10.00');
          await world.pay(order);
          delays.push(await secondsAfterConfirmation(world, order));
        }
        const refused = world.endpoints.map(({ misbehaved }) => misbehaved.get('allows') ?? 0);
        process.stdout.write(
          `Completed ${shown(delays, 1)} s after the block that confirms; refused replies: ${refused.join(', ')}\n`,
        );
        expect(Math.max(...delays)).toBeLessThan(LONG ? 10 : 60);
      } finally {
        await world.stop();
      }
    },
    600_000,
  );
});

/** Seconds from the block that gives a payment its last confirmation until it is completed. */
async function secondsAfterConfirmation(world: NodeWorld, order: NodeOrder): Promise<number> {
  const paidIn = await world.headNumber();
  while ((await world.headNumber()) < paidIn + REQUIRED - 1) await sleep(50);
  return (await world.allBecome('completed', [order], 120_000)) / 1_000;
}
