import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { NotAsOrdered } from '#contexts/networks/contract/ordered-transfers.js';
import { NATIVE } from '#contexts/settlement/domain/refunds/refund-float.js';
import { GAS, hashOf } from '#contexts/settlement/testing/refunds/made-up-chain.js';
import {
  NETWORK,
  PAYER,
  RefundsWorld,
  SETTLED_TO,
} from '#contexts/settlement/testing/refunds/refunds-world.js';

let world: RefundsWorld;
let float: string;

beforeEach(async () => {
  world = await RefundsWorld.open();
  float = await world.fund();
});
afterEach(() => world.close());

const refunded = async () => (await world.create({ of: world.request() })).refund.id;
const lastEvent = async () => (await world.events('refund.status_changed')).at(-1)!.data;

describe('An approved refund', () => {
  it('is sent once under its id and completed by a final block', async () => {
    const id = await refunded();

    await world.turn();
    await world.turn();
    expect(world.chain.orders).toMatchObject([
      { id, purpose: 'refund', key: `float:${world.organizationId}` },
    ]);
    world.chain.mine(id, 'mined');
    await world.turn();
    expect(await world.status(id)).toBe('processing');
    world.chain.mine(id, 'final');
    await world.turn();

    expect(await world.status(id)).toBe('completed');
    expect(world.chain.held(PAYER, world.token.token)).toBe(10_000_000n);
    expect(await lastEvent()).toMatchObject({
      ...{ status: 'completed', transactionHash: hashOf(id), from: float },
      gas: { uniqueAssetId: world.coin.uniqueAssetId, amount: GAS.toString() },
    });
    expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n, refunded: 10_000_000n });
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, gas: GAS });
  });

  it('is paid in native coin too, out of one holding with its gas', async () => {
    const of = world.request({}, { asset: world.coin, asked: 0n, paid: 5_000_000_000_000_000n });
    world.chain.put(float, NATIVE, 6_000_000_000_000_000n);
    await world.process().look.execute(NETWORK);
    const { id } = (await world.create({ of })).refund;
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 5_000_000_000_000_000n + GAS });

    await world.turn();
    world.chain.mine(id, 'final');
    await world.turn();
    await world.process().look.execute(NETWORK);

    expect(await world.holding(NATIVE)).toMatchObject({
      ...{ reserved: 0n, refunded: 5_000_000_000_000_000n, gas: GAS, missing: 0n },
      balance: 1_000_000_001_000_000n - GAS,
    });
  });

  it('fails if its token moved nothing in a final transaction, and waits while endpoints differ', async () => {
    const request = world.request();
    const { id } = (await world.create({ of: request })).refund;
    await world.turn();
    world.chain.mineWithoutTransfer(id);
    world.chain.isTorn = true;
    await world.turn();
    expect(await world.status(id)).toBe('processing');
    world.chain.isTorn = false;
    await world.turn();

    expect(await world.rows('SELECT status, failure FROM settlement.refunds')).toEqual([
      {
        status: 'failed',
        failure: 'USDT did not transfer the amount, though its transaction is final.',
      },
    ]);
    expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n, refunded: 0n });
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, gas: GAS });
    expect(await world.process().look.execute(NETWORK)).toEqual([]);
    expect((await world.create({ of: request })).refund.amount).toBe(10_000_000n);
  });

  it.each([
    ['reverted', 'Its transaction was executed without effect.', GAS],
    ['foreign', 'Another transaction of the float used its nonce.', 0n],
    ['cancelled', 'The operator cancelled its transaction before it was executed.', GAS],
  ] as const)('fails if its transaction was %s, and can be refunded again', async (state, failure, gas) => {
    const request = world.request();
    const { id } = (await world.create({ of: request })).refund;
    await world.turn();

    world.chain.mine(id, state);
    await world.turn();

    expect(await world.rows('SELECT status, failure FROM settlement.refunds')).toEqual([
      { status: 'failed', failure },
    ]);
    expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n, refunded: 0n });
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, gas });
    expect((await world.create({ of: request })).refund.amount).toBe(10_000_000n);
  });

  it('waits while the recipient is refused and fails after eight refusals in a row', async () => {
    const id = await refunded();
    world.chain.refused.add(PAYER);

    await world.turn();
    expect(await world.rows('SELECT held, tries FROM settlement.refund_float_payouts')).toEqual([
      { held: 'The recipient refuses it.', tries: 1 },
    ]);
    for (let n = 0; n < 6; n += 1) await world.turn();
    // Another reason begins the count again.
    world.chain.put(float, world.token.token, -100_000_000n);
    await world.turn();
    world.chain.put(float, world.token.token, 100_000_000n);
    for (let n = 0; n < 7; n += 1) await world.turn();
    expect(await world.status(id)).toBe('processing');
    await world.turn();

    expect(await world.status(id)).toBe('failed');
    expect(world.chain.orders).toEqual([]);
  });

  it('is neither sent nor failed while its key is held, whatever its recipient refuses', async () => {
    const id = await refunded();
    world.chain.hold = 'The key is held.';
    world.chain.refused.add(PAYER);

    for (let n = 0; n < 10; n += 1) await world.turn();

    expect([await world.status(id), world.chain.orders]).toEqual(['processing', []]);
    expect(await world.rows('SELECT held, tries FROM settlement.refund_float_payouts')).toEqual([
      { held: 'The key is held.', tries: 0 },
    ]);
  });

  it('is not ended by its first outbound transaction once another one pays it', async () => {
    const id = await refunded();
    await world.turn();
    const { payouts } = world.process();
    await world.rows(`UPDATE settlement.refund_float_payouts SET due_at = '-infinity'`);
    const [asRead] = await payouts.due(NETWORK, 1);
    await world.platform.database.run(() => payouts.sentBy(id, newId(), asRead!.call!));

    const failed = {
      status: 'failed',
      transactionHash: null,
      blockNumber: null,
      gas: 0n,
      failure: 'foreign',
    } as const;

    expect(await world.platform.database.run(() => payouts.end(asRead!, failed))).toBe(false);
  });

  it('waits while the float holds too little', async () => {
    const id = await refunded();
    world.chain.put(float, world.token.token, -95_000_000n);
    for (let n = 0; n < 10; n += 1) await world.turn();
    expect(await world.status(id)).toBe('processing');

    world.chain.put(float, world.token.token, 95_000_000n);
    await world.turn();

    expect(world.chain.orders).toHaveLength(1);
  });

  it('is not sent by a process whose key pays from another address', async () => {
    const id = await refunded();
    const { addressOf } = world.chain;
    world.chain.addressOf = () => SETTLED_TO;
    await world.turn();

    expect(world.chain.orders).toEqual([]);
    expect(
      (await world.rows<{ held: string }>('SELECT held FROM settlement.refund_float_payouts'))[0]!.held,
    ).toContain('from an address other than');
    world.chain.addressOf = addressOf;
    await world.turn();
    expect(world.chain.orders.map((order) => order.id)).toEqual([id]);
  });
});

describe('A payout whose call is not the one that was ordered', () => {
  it('is held as contradicted for as long as the sender refuses it', async () => {
    const id = await refunded();
    const { send } = world.chain.sender;
    world.chain.sender.send = () => Promise.reject(new NotAsOrdered('Another call.'));

    expect(await world.process().advance.execute(NETWORK)).toMatchObject([
      { payout: { id }, held: 'Another call.', isContradicted: true, ended: null },
    ]);
    for (let n = 0; n < 10; n += 1) await world.turn();
    expect(await world.status(id)).toBe('processing');

    world.chain.sender.send = send;
    await world.turn();
    expect(world.chain.orders.map((order) => order.id)).toEqual([id]);
  });
});
