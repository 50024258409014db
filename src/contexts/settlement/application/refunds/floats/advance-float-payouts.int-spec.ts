import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { SigningOrderMismatch } from '#contexts/networks/contract/transfer-orders.js';
import { NATIVE_HOLDING_KEY } from '#contexts/settlement/domain/refunds/refund-float.js';
import { GAS_COST, hashOf } from '#contexts/settlement/testing/refunds/made-up-chain.js';
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
      gas: { uniqueAssetId: world.coin.uniqueAssetId, amount: GAS_COST.toString() },
    });
    expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n, refunded: 10_000_000n });
    expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({ reserved: 0n, gas: GAS_COST });
  });

  it('pays native coin from the holding that also pays the gas', async () => {
    const of = world.request({}, { asset: world.coin, asked: 0n, paid: 5_000_000_000_000_000n });
    world.chain.put(float, NATIVE_HOLDING_KEY, 6_000_000_000_000_000n);
    await world.process().look.check(NETWORK);
    const { id } = (await world.create({ of })).refund;
    expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({
      reserved: 5_000_000_000_000_000n + GAS_COST,
    });

    await world.turn();
    world.chain.mine(id, 'final');
    await world.turn();
    await world.process().look.check(NETWORK);

    expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({
      ...{ reserved: 0n, refunded: 5_000_000_000_000_000n, gas: GAS_COST, missing: 0n },
      balance: 1_000_000_001_000_000n - GAS_COST,
    });
  });

  it('has left its own refund float from its block on, and is listed after unfinished payouts', async () => {
    const [waiting, id] = [await refunded(), await refunded()];
    const { floats, payouts } = world.process();
    const present = (await floats.findOrCreate(world.organizationId, NETWORK)).id;
    const leftBy = (block: number, of = present) =>
      world.platform.database.run(() => floats.leftBy(of, block));
    await world.turn();
    expect([(await leftBy(10)).underWay, (await leftBy(10, newId())).underWay]).toEqual([true, false]);
    world.chain.mine(id, 'final');
    await world.turn();
    const later = await refunded();

    expect((await leftBy(9)).left).toEqual(new Map());
    expect(Object.fromEntries((await leftBy(10)).left)).toEqual({
      ...{ [NATIVE_HOLDING_KEY]: GAS_COST, [world.token.token]: 10_000_000n },
    });
    expect((await payouts.list(present, 9)).map((each) => each.id)).toEqual([later, waiting, id]);
  });

  it('fails if the token moved nothing in a final transaction, and waits while endpoints differ', async () => {
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
    expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({ reserved: 0n, gas: GAS_COST });
    expect(await world.process().look.check(NETWORK)).toEqual([]);
    expect((await world.create({ of: request })).refund.amount).toBe(10_000_000n);
  });

  it.each([
    ['reverted', 'Its transaction was executed without effect.', GAS_COST],
    ['foreign', 'Another transaction of the float used its nonce.', 0n],
    ['cancelled', 'The operator cancelled its transaction before it was executed.', GAS_COST],
  ] as const)(
    'fails and can be refunded again if its transaction did not pay it: %s',
    async (state, failure, gas) => {
      const request = world.request();
      const { id } = (await world.create({ of: request })).refund;
      await world.turn();

      world.chain.mine(id, state);
      await world.turn();

      expect(await world.rows('SELECT status, failure FROM settlement.refunds')).toEqual([
        { status: 'failed', failure },
      ]);
      expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n, refunded: 0n });
      expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({ reserved: 0n, gas });
      expect((await world.create({ of: request })).refund.amount).toBe(10_000_000n);
    },
  );

  it('fails after eight refusals of the recipient in a row', async () => {
    const id = await refunded();
    world.chain.refused.add(PAYER);

    await world.turn();
    expect(await world.rows('SELECT held, tries FROM settlement.refund_float_payouts')).toEqual([
      { held: 'The recipient refuses it.', tries: 1 },
    ]);
    for (let n = 0; n < 6; n += 1) await world.turn();
    // A failure for another reason restarts the count of refusals.
    world.chain.put(float, world.token.token, -100_000_000n);
    await world.turn();
    world.chain.put(float, world.token.token, 100_000_000n);
    for (let n = 0; n < 7; n += 1) await world.turn();
    expect(await world.status(id)).toBe('processing');
    await world.turn();

    expect(await world.status(id)).toBe('failed');
    expect(world.chain.orders).toEqual([]);
  });

  it('waits while its key is held, regardless of the recipient', async () => {
    const id = await refunded();
    world.chain.hold = 'The key is held.';
    world.chain.refused.add(PAYER);

    for (let n = 0; n < 10; n += 1) await world.turn();

    expect([await world.status(id), world.chain.orders]).toEqual(['processing', []]);
    expect(await world.rows('SELECT held, tries FROM settlement.refund_float_payouts')).toEqual([
      { held: 'The key is held.', tries: 0 },
    ]);
  });

  it('ignores the end of its first outbound transaction after another one paid it', async () => {
    const id = await refunded();
    await world.turn();
    const { payouts } = world.process();
    await world.rows(`UPDATE settlement.refund_float_payouts SET due_at = '-infinity'`);
    const [asRead] = await payouts.listDue(NETWORK, 1);
    await world.rows(`UPDATE settlement.refund_float_payouts SET due_at = 'infinity'`);
    const other = { ...asRead!.call!, to: SETTLED_TO };
    await world.platform.database.run(() => payouts.linkOutboundTransaction(id, newId(), other));
    expect(await payouts.listDue(NETWORK, 1)).toMatchObject([{ id, call: asRead!.call }]);

    const nothing = { transactionHash: null, blockNumber: null, gas: 0n };
    const failed = { ...nothing, status: 'failed', failure: 'foreign' } as const;

    expect(await world.platform.database.run(() => payouts.end(asRead!, failed))).toBe(false);
  });

  it('waits in a process whose key has another address', async () => {
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

describe('A payout with another call than ordered', () => {
  it('is held while the sender rejects it', async () => {
    const id = await refunded();
    const { send } = world.chain.sender;
    world.chain.sender.send = () => Promise.reject(new SigningOrderMismatch('Another call.'));

    expect(await world.process().advance.advance(NETWORK)).toMatchObject([
      { payout: { id }, held: 'Another call.', isContradicted: true, ended: null },
    ]);
    for (let n = 0; n < 10; n += 1) await world.turn();
    expect(await world.status(id)).toBe('processing');

    world.chain.sender.send = send;
    await world.turn();
    expect(world.chain.orders.map((order) => order.id)).toEqual([id]);
  });
});

describe('A worker that is killed', () => {
  it('leaves no call before a nonce is reserved, and plans again', async () => {
    const id = await refunded();
    const { send } = world.chain.sender;
    world.chain.sender.send = () => Promise.reject(new Error('killed'));
    await world.turn();
    const [payout] = await world.rows('SELECT call_to, sent_at FROM settlement.refund_float_payouts');
    world.chain.sender.send = send;

    await world.turn();

    expect(payout).toEqual({ callTo: null, sentAt: null });
    expect(world.chain.orders.map((order) => order.id)).toEqual([id]);
  });

  it('leaves the stored call after a nonce is reserved, and follows it', async () => {
    const id = await refunded();
    world.chain.killedAfterSending = new Error('killed');
    await world.turn();
    const [payout] = await world.rows<{ callData: Buffer; sent: boolean }>(
      'SELECT call_data, sent_at IS NOT NULL AS sent FROM settlement.refund_float_payouts',
    );
    expect(payout!.sent).toBe(true);
    expect(`0x${payout!.callData.toString('hex')}`).toBe(world.chain.orders[0]!.call.data);
    world.chain.planning.plan = () => Promise.reject(new Error('planned again'));

    await world.turn();
    world.chain.mine(id, 'final');
    await world.turn();

    expect(world.chain.orders).toHaveLength(1);
    expect(await world.status(id)).toBe('completed');
  });

  it('stores the full end of a payout or nothing', async () => {
    const id = await refunded();
    await world.turn();
    world.chain.mine(id, 'final');
    await world.rows(`CREATE FUNCTION settlement.killed() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'killed'; END $$`);
    await world.rows(`CREATE TRIGGER killed BEFORE UPDATE ON settlement.refund_float_holdings
      FOR EACH ROW EXECUTE FUNCTION settlement.killed()`);
    await world.turn();
    expect(await world.status(id)).toBe('processing');
    expect(await lastEvent()).toMatchObject({ status: 'processing' });
    await world.rows('DROP FUNCTION settlement.killed CASCADE');

    await world.turn();

    expect(await world.status(id)).toBe('completed');
    expect((await world.events('refund.status_changed')).map(({ data }) => data['status'])).toEqual([
      ...['pending', 'processing', 'completed'],
    ]);
  });

  it('ends a refund once in concurrent iterations', async () => {
    const id = await refunded();
    await Promise.all(Array.from({ length: 4 }, () => world.turn()));
    world.chain.mine(id, 'final');

    await Promise.all(Array.from({ length: 4 }, () => world.turn()));

    expect(world.chain.orders).toHaveLength(1);
    expect(await world.events('refund.status_changed')).toHaveLength(3);
    expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n, refunded: 10_000_000n });
  });
});
