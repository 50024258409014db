import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import { CHARGE_REQUEST_JOB_KIND } from './postgres-subscriptions.js';
import { openSubscriptions, type OpenSubscriptions } from '../../testing/open-subscriptions.js';

let world: OpenSubscriptions;

beforeAll(async () => {
  world = await openSubscriptions();
});
afterAll(() => world.close());

describe('The store of subscriptions', () => {
  it('stores a planned charge and the work that opens its payment request in one unit of work', async () => {
    const { database } = world;
    const offered = await world.offer();
    const undone = new Error('undone');
    let planned: object[] = [];

    const accepting = database.run(async () => {
      await world.accept(offered);
      planned = await database.query(
        `SELECT w.kind FROM subscriptions.charge_requests r LEFT JOIN platform.due_work w ON w.key = r.payment_request_id
         WHERE r.status = 'planned'`,
      );
      throw undone;
    });

    await expect(accepting).rejects.toBe(undone);
    expect(planned).toEqual([{ kind: CHARGE_REQUEST_JOB_KIND }]);
  });

  it('returns the wallet of a concurrent acceptance after waiting for it to commit', async () => {
    const { database, subscriptions, scope } = world;
    const offered = await world.offer();
    const accepted = Promise.withResolvers<void>();
    const isWaited = Promise.withResolvers<void>();
    const waiting = () =>
      database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );

    const accepting = database.run(async () => {
      await world.accept(offered, 'wallet-of-the-other');
      accepted.resolve();
      await isWaited.promise;
    });
    await accepted.promise;
    const locking = database.run(() => subscriptions.lock(scope, offered.id));
    await eventually(waiting, ({ length }) => length === 1);
    isWaited.resolve();
    await accepting;
    const { snapshot } = await locking;

    expect(snapshot.wallet?.externalId).toBe('wallet-of-the-other');
  });

  it.each(['lockByIds', 'lockByChargeRequests'] as const)(
    'locks subscriptions in the order of their ids: %s',
    async (method) => {
      const { database, subscriptions } = world;
      const [first, second] = [await world.active(), await world.active()].sort((a, b) =>
        a.id < b.id ? -1 : 1,
      );
      const named =
        method === 'lockByIds'
          ? [second!.id, first!.id]
          : [(await world.requestOf(second!)).id, (await world.requestOf(first!)).id];
      const [isHeld, isWaited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = database.run(async () => {
        await subscriptions.lockByIds([first!.id]);
        isHeld.resolve();
        await isWaited.promise;
        return database.query(
          'SELECT FROM subscriptions.subscriptions WHERE id = $1 FOR UPDATE SKIP LOCKED',
          [second!.id],
        );
      });
      await isHeld.promise;
      const locking = database.run(() => subscriptions[method](named as never));
      await eventually(
        () =>
          database.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ),
        ({ length }) => length > 0,
      );
      isWaited.resolve();

      expect(await holding).toHaveLength(1);
      expect((await locking).map(({ snapshot }) => snapshot.id)).toEqual([first!.id, second!.id]);
    },
  );

  it('stores several statuses of one save in order', async () => {
    const { database, subscriptions, scope, platform } = world;
    const { id } = await world.active();
    const request = (await world.requestOf(await world.read({ id }))).id;
    const now = await platform.clock.now();
    // The test ends charges without events of payments.
    platform.makesUp(['charges-are-as-their-requests', 'charge-requests-are-as-payments-says']);
    await database.run(async () => {
      const subscription = await subscriptions.lock(scope, id);
      subscription.recordRequestEnded(request, 'unpaid', now);
      subscription.recordRequestEnded(request, 'paid', now);
      await subscriptions.save([subscription]);
    });

    const history = await database.query<{ status: string }>(
      'SELECT status FROM subscriptions.status_history WHERE subscription_id = $1 ORDER BY step',
      [id],
    );
    expect(history.map(({ status }) => status)).toEqual(['pending', 'active', 'past_due', 'active']);
  });
});
