import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { ChargeRequests } from '#contexts/payments/contract/charge-requests.js';
import { openSubscriptions, type OpenSubscriptions } from '../testing/open-subscriptions.js';

let world: OpenSubscriptions;
beforeEach(async () => {
  world = await openSubscriptions();
});
afterEach(() => world.close());

describe('Two workers', () => {
  it('create one charge and one payment request for each due date', async () => {
    const offers = await Promise.all(Array.from({ length: 12 }, () => world.offer()));
    for (const [n, offer] of offers.entries()) await world.accept(offer, `wallet-${n}`);

    await Promise.all(Array.from({ length: 4 }, () => world.work()));

    const of = await world.database.query(
      `SELECT count(*)::int AS charges, count(DISTINCT subscription_id)::int AS subscriptions FROM subscriptions.charges`,
    );
    expect(of).toEqual([{ charges: 12, subscriptions: 12 }]);
    expect(await world.countRequests()).toBe(12);
  });
});

describe('A crash', () => {
  async function planned(): Promise<PaymentRequestId> {
    const [row] = await world.database.query<{ id: PaymentRequestId }>(
      'SELECT payment_request_id AS id FROM subscriptions.charge_requests',
    );
    return row!.id;
  }

  it('between planning and opening a request leads to one request', async () => {
    await world.accept(await world.offer());
    const id = await planned();

    await Promise.all([world.work(), world.work()]);

    expect(await world.database.query('SELECT id FROM payments.payment_requests')).toEqual([{ id }]);
  });

  it('between opening a request and storing the result leads to one request', async () => {
    const subscription = await world.accept(await world.offer());
    const { charges: payments } = world;
    const deaf = {
      check: payments.check.bind(payments),
      find: payments.find.bind(payments),
      open: async (input: Parameters<typeof payments.open>[0]) => {
        await payments.open(input);
        throw new Error('the connection is gone');
      },
    };
    await expect(world.opening(deaf).execute(await planned())).rejects.toThrow('gone');

    await world.work();

    expect(await world.countRequests()).toBe(1);
    expect(await world.chargesOf(subscription)).toEqual(['0 open created']);
  });
});

describe('A request that payments refuses', () => {
  it('is not refused while writing is stopped', async () => {
    await world.accept(await world.offer());
    const [row] = await world.database.query<{ id: PaymentRequestId }>(
      'SELECT payment_request_id AS id FROM subscriptions.charge_requests',
    );
    const stopped = new DomainError('unavailable', 'writing_stopped', 'Writing is stopped.');
    const payments = Object.assign(Object.create(world.charges) as ChargeRequests, {
      open: () => Promise.reject(stopped),
    });

    await expect(world.opening(payments).execute(row!.id)).rejects.toBe(stopped);
  });

  it('is retried after growing pauses, shows the reason, and does not make the subscription past due', async () => {
    const offered = await world.offer();
    world.catalogue.taking = false;
    const subscription = await world.accept(offered);
    await world.work();

    const [item] = (await world.list(subscription)).items;
    expect(item!.request).toBeUndefined();
    expect(item!.charge.request).toMatchObject({
      status: 'planned',
      refused: expect.stringContaining('is temporarily unavailable'),
    });
    await world.passes(61);
    world.catalogue.taking = true;
    // After the second refusal it waits for five minutes.
    await world.passes(61);
    expect(await world.countRequests()).toBe(0);
    await world.passes(240);
    expect(await world.countRequests()).toBe(1);

    const { request } = (await world.list(subscription)).items[0]!.charge;
    expect(request).toEqual({ id: expect.any(String), status: 'open' });
    await world.subscriptions.noteRefusal(request!.id, 'It is late.');
    const rows = await world.database.query('SELECT refused FROM subscriptions.charge_requests');
    expect(rows).toEqual([{ refused: expect.not.stringContaining('late') }]);
    expect(await world.chargesOf(subscription)).toEqual(['0 open created']);
    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
  });
});
