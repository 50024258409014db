import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NodeWorld, type NodeOrder } from '#test/faults/node-world.js';

const BLOCKS = 5;
/** Blocks below the newest one that anvil tags, by its default of 32 slots an epoch. */
const SAFE_BELOW = 32;
const FINALIZED_BELOW = 64;

let world: NodeWorld;

beforeAll(async () => {
  world = await NodeWorld.start(2, {
    network: (assets) => ({
      // The tags are read every 0.5 s.
      ...{ finality: { tag: 'finalized', typical_confirmations: 4 }, block_seconds: 0.5 },
      confirmations: [
        { up_to: '100', in: 'USD', require: 4 },
        { up_to: '1000', in: 'USD', require: 'safe' },
        { require: 'finalized' },
      ],
      max_lag_seconds: 600,
      assets,
    }),
  });
});

afterAll(async () => {
  expect(await world?.service.breaches()).toEqual([]);
  await world?.stop();
});

describe('A node that tags its blocks', () => {
  it('lets a payment complete when its block has the tag that its amount requires', async () => {
    const orders = await Promise.all(['99.00', '101.00', '1001.00'].map((amount) => world.order(amount)));
    const [small, medium, large] = orders as [NodeOrder, NodeOrder, NodeOrder];
    for (const order of orders) await world.pay(order);

    await world.service.chain.mine(BLOCKS);
    await world.allBecome('completed', [small]);
    expect(await world.statuses([medium, large])).toEqual(['processing', 'processing']);
    await world.service.chain.mine(SAFE_BELOW);
    await world.allBecome('completed', [medium]);
    expect(await world.statuses([large])).toEqual(['processing']);
    await world.service.chain.mine(FINALIZED_BELOW);
    await world.allBecome('completed', [large]);

    await world.expectBookedOnce(orders);
  });
});
