import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { NATIVE_HOLDING_KEY } from '../../domain/refunds/refund-float.js';
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
const cancel = (id: string) => world.process().cancel.cancel(world.scope, id);
const payout = async (id: string) =>
  (
    await world.rows<{ status: string; held: string | null; failure: string | null }>(
      'SELECT status, held, failure FROM settlement.refund_float_payouts WHERE id = $1',
      [id],
    )
  )[0]!;

describe('An approved refund without a nonce', () => {
  it('is cancelled: the amount in the refund float is free, the end is published and nothing is sent', async () => {
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
    expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({ reserved: 0n, gas: 0n });
    const events = (await world.events('refund.status_changed')).map(({ data }) => data['status']);
    expect(events).toEqual(['pending', 'processing', 'failed']);
    expect(world.chain.orders).toEqual([]);
    expect((await world.create({ of: request })).refund.amount).toBe(10_000_000n);
  });

  it('is cancelled even while a replaced refund float is held', async () => {
    const { organizationId } = world;
    const replaced = world.chain.addressOf(`float:${organizationId}`);
    world.chain.keysAre = 'other';
    await world.process().replace.replace({ organizationId, network: NETWORK, actor: 'operator' });
    await world.fund();
    const id = await refunded();
    world.chain.sender.findHold = async () => stateConflict('The float is held.');
    await expect(cancel(id)).rejects.toThrow('The float is held.');
    const unclaimed = (await world.create({ of: world.request(), claim: {} })).refund.id;
    expect((await cancel(unclaimed)).status).toBe('failed');
    world.chain.sender.findHold = async (_, __, address) =>
      address === replaced ? stateConflict('The replaced float is held.') : null;

    expect((await cancel(id)).status).toBe('failed');
  });
});

describe('A pending refund whose payer has named an address', () => {
  it('is not cancelled while a replaced refund float that may have paid it is held', async () => {
    const { refund, claim } = await world.create({ of: world.request(), claim: {} });
    await world.process().claim.claim({ claim: claim!, refundToAddress: PAYER, confirmed: true });
    const { organizationId } = world;
    const paidFrom = world.chain.addressOf(`float:${organizationId}`);
    world.chain.keysAre = 'other';
    await world.process().replace.replace({ organizationId, network: NETWORK, actor: 'operator' });
    world.chain.sender.findHold = async (_, __, address) =>
      address === paidFrom ? stateConflict('The replaced float is held.') : null;

    await expect(cancel(refund.id)).rejects.toThrow('The replaced float is held.');
    expect(await world.status(refund.id)).toBe('pending');

    const { floats } = world.process();
    await floats.setAddress((await floats.findOrCreate(organizationId, 'base')).id, PAYER);
    world.chain.sender.findHold = async (network) =>
      network === 'base' ? stateConflict('The float on base is held.') : null;
    expect((await cancel(refund.id)).status).toBe('failed');
  });
});

describe('An approved refund that has a nonce', () => {
  it('is not cancelled if only an outbound transaction with its id exists', async () => {
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

describe('A refund cancelled while it is sent', () => {
  it('waits for the reservation of the nonce and stays approved', async () => {
    const id = await refunded();
    const { payouts } = world.process();
    const waiting = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const reserving = world.platform.database.run(async () => {
      expect(await payouts.markSent(id, CALL)).toBe(true);
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

  it('has no nonce reserved if the cancellation is first', async () => {
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
});

describe('A refund whose refund float has lost its key', () => {
  it('fails after seven days and frees its amount', async () => {
    const id = await refunded();
    world.chain.holdsKeys = false;
    await world.turn();
    await world.platform.advance(7 * DAY - 60);
    await world.turn();
    expect(await payout(id)).toMatchObject({ status: 'processing', held: 'There is no such key.' });

    await world.platform.advance(60);
    await world.turn();

    const failure = expect.stringMatching(/^No process had the key of the refund float 0x\w+ for 7 days\./);
    expect(await payout(id)).toMatchObject({ status: 'failed', failure, held: null });
    expect(await world.status(id)).toBe('failed');
    expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n });
  });
});
