import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { GAS } from '#contexts/settlement/testing/refunds/made-up-chain.js';
import { NETWORK, RefundsWorld } from '#contexts/settlement/testing/refunds/refunds-world.js';

let world: RefundsWorld;
beforeAll(async () => {
  world = await RefundsWorld.open();
  await world.fund();
});
afterAll(() => world.close());

/** @returns which sending pays a refund, once its own has ended like that and its call was found in another transaction */
async function foundAfter(state: 'foreign' | 'cancelled') {
  const { id } = (await world.create({ of: world.request() })).refund;
  await world.turn();
  world.chain.mine(id, state);
  const { floats, findPayout } = world.process();
  const { address, ...float } = await floats.findOrCreate(world.organizationId, NETWORK);
  const { call } = world.chain.orders.find((order) => order.id === id)!;
  const found = await world.platform.database.run(() =>
    findPayout.execute({ ...float, address: address! }, call, 'operator'),
  );
  await world.turn();
  return { id, found };
}

it('A call that is found pays a refund whose nonce another transaction used', async () => {
  const { id, found } = await foundAfter('foreign');

  expect(found).toMatchObject({ purpose: 'refund' });
  expect(found!.id).not.toBe(id);
});

it('A call that is found pays no refund whose sending was cancelled: that one fails, with its gas', async () => {
  const { id, found } = await foundAfter('cancelled');

  expect(found).toBeNull();
  expect(
    await world.rows('SELECT status, gas FROM settlement.refund_float_payouts WHERE id = $1', [id]),
  ).toEqual([{ status: 'failed', gas: GAS }]);
});
