import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { NATIVE_HOLDING_KEY } from '#contexts/settlement/domain/refunds/refund-float.js';
import { GAS_COST } from '#contexts/settlement/testing/refunds/made-up-chain.js';
import { NETWORK, PAYER, RefundsWorld } from '#contexts/settlement/testing/refunds/refunds-world.js';

let world: RefundsWorld;
beforeAll(async () => {
  world = await RefundsWorld.open();
  await world.fund();
});
afterAll(() => world.close());

/**
 * @returns the outbound transaction that pays the refund, after the refund's own outbound transaction ended in `state`
 * and another transaction with the same call was found on the chain
 */
async function sendingFoundAfter(state: 'foreign' | 'cancelled') {
  const { id } = (await world.create({ of: world.request() })).refund;
  await world.turn();
  world.chain.mine(id, state);
  const { call } = world.chain.orders.find((order) => order.id === id)!;
  const found = await find(call);
  const again = await find(call);
  await world.turn();
  return { id, found, again };
}

type Call = Parameters<ReturnType<RefundsWorld['process']>['findPayout']['findAndMarkSent']>[1];

/** Finds the payout of a call, and stores the transaction as an outbound transaction. */
async function find(call: Call) {
  const { floats, findPayout } = world.process();
  const { address, ...float } = await floats.findOrCreate(world.organizationId, NETWORK);
  const found = await world.platform.database.run(() =>
    findPayout.findAndMarkSent({ ...float, address: address! }, call, 'operator'),
  );
  const order = { network: NETWORK, key: `float:${world.organizationId}` } as const;
  if (found !== null) await world.chain.sender.send({ ...order, ...found, call });
  return found;
}

describe('The search for the payout of a call', () => {
  it('finds, only once, a refund whose nonce was used by another transaction', async () => {
    const { id, found, again } = await sendingFoundAfter('foreign');

    expect(found).toMatchObject({ purpose: 'refund' });
    expect(found!.id).not.toBe(id);
    expect(again).toBeNull();
  });

  it('finds no refund whose transaction was cancelled, and which failed at the cost of its gas', async () => {
    const { id, found } = await sendingFoundAfter('cancelled');

    expect(found).toBeNull();
    expect(
      await world.rows('SELECT status, gas FROM settlement.refund_float_payouts WHERE id = $1', [id]),
    ).toEqual([{ status: 'failed', gas: GAS_COST }]);
  });

  it('finds refunds of one amount from the oldest on, approved ones before pending ones', async () => {
    const amount = '3';
    const pending = [];
    for (let i = 0; i < 2; i += 1) {
      const { refund, claim } = await world.create({ of: world.request(), amount, claim: {} });
      await world.process().claim.claim({ claim: claim!, refundToAddress: PAYER, confirmed: true });
      pending.push(refund.id);
    }
    const approved = [];
    for (let i = 0; i < 2; i += 1)
      approved.push((await world.create({ of: world.request(), amount })).refund.id);
    const { floats, payouts } = world.process();
    const { id } = await floats.findOrCreate(world.organizationId, NETWORK);
    const payment = { holding: world.token.token, to: PAYER, amount: 3_000_000n };
    const unended = async (of: string, other = {}) =>
      (await payouts.listUnfinished(of, { ...payment, ...other })).length;
    expect([await unended(id), await unended(newId())]).toEqual([2, 0]);
    expect([await unended(id, { holding: NATIVE_HOLDING_KEY }), await unended(id, { to: '0x1' })]).toEqual([
      0, 0,
    ]);
    const encoded = world.chain.planning.encode(world.token, PAYER, 3_000_000n);
    const found = [];

    for (let i = 0; i < 5; i += 1) found.push((await find({ ...encoded, gasLimit: 60_000n }))?.id);

    expect(found).toEqual([...approved, ...pending, undefined]);
  });
});
