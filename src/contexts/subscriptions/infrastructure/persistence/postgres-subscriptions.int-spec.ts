import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import { openSubscriptions, type OpenSubscriptions } from '../../testing/open-subscriptions.js';

let world: OpenSubscriptions;

beforeAll(async () => {
  world = await openSubscriptions();
});
afterAll(() => world.close());

it('names the wallet that another transaction, for which it waited, has accepted with', async () => {
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
