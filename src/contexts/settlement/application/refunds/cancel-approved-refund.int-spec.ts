import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NATIVE } from '../../domain/refunds/refund-float.js';
import { NETWORK, PAYER, RefundsWorld } from '../../testing/refunds/refunds-world.js';

const DAY = 24 * 60 * 60;
const CALL = { to: PAYER, data: '0x01', value: 0n, gasLimit: 60_000n };
const BEING_PAID = { code: 'state_conflict', message: expect.stringMatching('This refund is being paid') };

let world: RefundsWorld;
beforeEach(async () => {
  world = await RefundsWorld.open();
  await world.fund();
});
afterEach(() => world.close());

const refunded = async () => (await world.create({ of: world.request() })).refund.id;
const cancel = (id: string) => world.process().cancel.execute(world.scope, id);
const payout = async (id: string) =>
  (
    await world.rows<{ status: string; held: string | null; failure: string | null }>(
      'SELECT status, held, failure FROM settlement.refund_float_payouts WHERE id = $1',
      [id],
    )
  )[0]!;

describe('An approved refund that nothing was signed for', () => {
  it('can be cancelled: its float is free again, its end is published, and nothing is sent', async () => {
    world.chain.holdsKeys = false;
    const request = world.request();
    const { id } = (await world.create({ of: request })).refund;
    await world.turn();

    const { status, failure } = await cancel(id);
    world.chain.holdsKeys = true;
    await world.turn();

    expect({ status, failure }).toEqual({ status: 'failed', failure: 'The merchant cancelled the refund.' });
    expect(await payout(id)).toMatchObject({ status: 'failed', failure });
    expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n, refunded: 0n });
    expect(await world.holding(NATIVE)).toMatchObject({ reserved: 0n, gas: 0n });
    const events = (await world.events('refund.status_changed')).map(({ data }) => data['status']);
    expect(events).toEqual(['pending', 'processing', 'failed']);
    expect(world.chain.orders).toEqual([]);
    expect((await world.create({ of: request })).refund.amount).toBe(10_000_000n);
  });

  it('can be cancelled while only a replaced float is held', async () => {
    const { organizationId } = world;
    const replaced = world.chain.addressOf(`float:${organizationId}`);
    world.chain.keysAre = 'other';
    await world.process().replace.execute({ organizationId, network: NETWORK, actor: 'operator' });
    await world.fund();
    const id = await refunded();
    world.chain.sender.holdOf = async (_, __, address) =>
      address === replaced ? stateConflict('The replaced float is held.') : null;

    expect((await cancel(id)).status).toBe('failed');
  });

  it('cannot be cancelled twice', async () => {
    const id = await refunded();
    await cancel(id);

    await expect(cancel(id)).rejects.toThrow('This refund is failed and can no longer be changed.');
  });
});

describe('A pending refund whose payer has named an address', () => {
  it('is not cancelled while a float is held that may have paid it, though that was replaced', async () => {
    const { refund, claim } = await world.create({ of: world.request(), claim: {} });
    await world.process().claim.execute({ claim: claim!, refundToAddress: PAYER, confirmed: true });
    const { organizationId } = world;
    const paidFrom = world.chain.addressOf(`float:${organizationId}`);
    world.chain.keysAre = 'other';
    await world.process().replace.execute({ organizationId, network: NETWORK, actor: 'operator' });
    world.chain.sender.holdOf = async (_, __, address) =>
      address === paidFrom ? stateConflict('The replaced float is held.') : null;

    await expect(cancel(refund.id)).rejects.toThrow('The replaced float is held.');
    expect(await world.status(refund.id)).toBe('pending');

    world.chain.sender.holdOf = async () => null;
    expect((await cancel(refund.id)).status).toBe('failed');
  });
});

describe('An approved refund that has a nonce', () => {
  it('is not cancelled, and ends by its transaction', async () => {
    const id = await refunded();
    await world.turn();

    await expect(cancel(id)).rejects.toMatchObject(BEING_PAID);
    world.chain.mine(id, 'final');
    await world.turn();

    expect(await world.status(id)).toBe('completed');
  });

  it('is not cancelled where only the sending of its id shows it', async () => {
    const id = await refunded();
    await world.rows(
      `INSERT INTO networks.sendings (id, network, sender, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose, key)
       VALUES ($1, $2, $3, 0, $3, '', 0, 21000, 1, 'refund', $4) RETURNING id`,
      [id, NETWORK, PAYER.toLowerCase(), `float:${world.organizationId}`],
    );

    await expect(cancel(id)).rejects.toMatchObject(BEING_PAID);

    expect(await payout(id)).toMatchObject({ status: 'processing' });
  });
});

describe('Cancelling a refund while it is sent', () => {
  it('waits for a reservation that has begun, and is refused then', async () => {
    const id = await refunded();
    const { payouts } = world.process();
    const waiting = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const reserving = world.platform.database.run(async () => {
      expect(await payouts.send(id, CALL)).toBe(true);
      begun.resolve();
      await waiting.promise;
    });
    await begun.promise;

    const cancelled = expect(cancel(id)).rejects.toMatchObject(BEING_PAID);
    const locked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await world.rows(locked)).length === 0) await pause(5);
    waiting.resolve();
    await reserving;

    await cancelled;
    expect([await world.status(id), (await payout(id)).status]).toEqual(['processing', 'processing']);
  });

  it('undoes the reservation where it was first', async () => {
    const id = await refunded();
    const { plan } = world.chain.planning;
    world.chain.planning.plan = async (...args) => {
      await cancel(id);
      return plan.apply(world.chain.planning, args);
    };

    await world.turn();

    expect(world.chain.orders).toEqual([]);
    expect([await world.status(id), (await payout(id)).status]).toEqual(['failed', 'failed']);
  });

  it('comes to exactly one of both, however often', async () => {
    const won = new Set<string>();
    for (let round = 0; round < 9; round += 1) {
      const id = await refunded();
      const [cancelled] = await Promise.allSettled([
        pause(round).then(() => cancel(id)),
        ...[1, 2].map(() => world.turn()),
      ]);

      const isSent = world.chain.orders.some((order) => order.id === id);
      const isCancelled = cancelled.status === 'fulfilled';
      won.add(isCancelled ? 'cancelled' : 'sent');
      expect({ isCancelled, isSent }).toEqual({ isCancelled, isSent: !isCancelled });
      expect(await world.status(id)).toBe(isCancelled ? 'failed' : 'processing');
    }
    expect(won.size).toBeGreaterThan(0);
  });
});

describe('A refund whose float’s key no process has', () => {
  it('waits for seven days, then fails, and its money is free', async () => {
    const id = await refunded();
    world.chain.holdsKeys = false;
    await world.turn();
    await world.platform.advance(7 * DAY - 60);
    await world.turn();
    expect(await payout(id)).toMatchObject({ status: 'processing', held: 'There is no such key.' });

    await world.platform.advance(60);
    await world.turn();

    const failure = expect.stringMatching(/^No process had the key of the refund float 0x\w+ for 7 days\./);
    expect(await payout(id)).toMatchObject({ status: 'failed', failure });
    expect(await world.status(id)).toBe('failed');
    expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n });
  });

  it('does so through an hour in which no node answers', async () => {
    const id = await refunded();
    world.chain.holdsKeys = false;
    await world.turn();
    await world.platform.advance(7 * DAY);
    const { holdOf } = world.chain.sender;
    world.chain.sender.holdOf = () => Promise.reject(new ChainUnavailable(NETWORK, 'no endpoint answers.'));
    await world.turn();
    expect(await world.status(id)).toBe('processing');

    world.chain.sender.holdOf = holdOf;
    await world.turn();

    expect(await world.status(id)).toBe('failed');
  });

  it('does so too where another key has taken its place, and the float can be replaced then', async () => {
    await refunded();
    world.chain.keysAre = 'other';
    const replace = () =>
      world.process().replace.execute({
        ...{ organizationId: world.organizationId, network: NETWORK, actor: 'operator' },
      });
    await world.turn();
    await expect(replace()).rejects.toThrow('has unfinished payments');

    await world.platform.advance(7 * DAY);
    await world.turn();

    expect(world.chain.orders).toEqual([]);
    expect((await replace()).address).toBe(world.chain.addressOf(`float:${world.organizationId}`));
  });

  it('is paid by a process that has it, and the days begin anew', async () => {
    const id = await refunded();
    world.chain.holdsKeys = false;
    await world.turn();
    await world.platform.advance(6 * DAY);
    world.chain.holdsKeys = true;
    world.chain.refused.add(PAYER);
    await world.turn();
    world.chain.holdsKeys = false;
    await world.platform.advance(2 * DAY);
    await world.turn();
    world.chain.refused.clear();
    world.chain.holdsKeys = true;

    await world.turn();

    expect(world.chain.orders.map((order) => order.id)).toEqual([id]);
  });

  it('is followed to its end by one that has not, once it was sent', async () => {
    const id = await refunded();
    await world.turn();
    world.chain.holdsKeys = false;
    world.chain.mine(id, 'final');
    await world.platform.advance(8 * DAY);

    await world.turn();

    expect(await world.status(id)).toBe('completed');
  });
});
