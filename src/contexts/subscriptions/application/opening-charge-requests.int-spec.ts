import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { openSubscriptions, type OpenSubscriptions } from '../testing/open-subscriptions.js';

let world: OpenSubscriptions;
beforeEach(async () => {
  world = await openSubscriptions();
});
afterEach(() => world.close());

describe('Two workers', () => {
  it('make one charge and one payment request for each due date', async () => {
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

  it('between planning a request and opening it opens it once', async () => {
    await world.accept(await world.offer());
    const id = await planned();

    await Promise.all([world.work(), world.work()]);

    expect(await world.database.query('SELECT id FROM payments.payment_requests')).toEqual([{ id }]);
  });

  it('between opening a request and hearing of it opens it once', async () => {
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
  it('is asked for again, says why meanwhile, and does not make the subscription past due', async () => {
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
    world.catalogue.taking = true;
    await world.passes(61);

    expect(await world.chargesOf(subscription)).toEqual(['0 open created']);
    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
  });
});
