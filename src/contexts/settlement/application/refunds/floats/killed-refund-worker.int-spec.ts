import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RefundsWorld } from '#contexts/settlement/testing/refunds/refunds-world.js';

let world: RefundsWorld;

beforeEach(async () => {
  world = await RefundsWorld.open();
  await world.fund();
});
afterEach(() => world.close());

const refunded = async () => (await world.create({ of: world.request() })).refund.id;
const lastEvent = async () => (await world.events('refund.status_changed')).at(-1)!.data;

describe('A worker that is killed', () => {
  it('before a nonce is reserved leaves no call behind, and it is planned anew', async () => {
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

  it('after a nonce is reserved has stored the call with it, and follows that very call', async () => {
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

  it('while it records the end stores all of it or nothing', async () => {
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
    await world.rows('DROP TRIGGER killed ON settlement.refund_float_holdings');

    await world.turn();

    expect(await world.status(id)).toBe('completed');
    expect((await world.events('refund.status_changed')).map(({ data }) => data['status'])).toEqual([
      ...['pending', 'processing', 'completed'],
    ]);
  });

  it('and several that take the same step end a refund once', async () => {
    const id = await refunded();
    await Promise.all(Array.from({ length: 4 }, () => world.turn()));
    world.chain.mine(id, 'final');

    await Promise.all(Array.from({ length: 4 }, () => world.turn()));

    expect(world.chain.orders).toHaveLength(1);
    expect(await world.events('refund.status_changed')).toHaveLength(3);
    expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n, refunded: 10_000_000n });
  });
});
