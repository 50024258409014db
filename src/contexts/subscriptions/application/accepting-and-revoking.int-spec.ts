import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import { openSubscriptions, type OpenSubscriptions } from '../testing/open-subscriptions.js';

const DAY = 86_400;

let world: OpenSubscriptions;
beforeEach(async () => {
  world = await openSubscriptions();
});
afterEach(() => world.close());

describe('An offer', () => {
  it('expires', async () => {
    const offered = await world.offer();

    await world.passes(DAY + 1);

    expect(await world.read(offered)).toMatchObject({ status: 'expired' });
    await expect(world.accept(offered)).rejects.toMatchObject({ code: 'state_conflict' });
  });

  it('is listed with the others of its point of sale, newest first', async () => {
    const offers = [await world.offer(), await world.offer(), await world.offer()].map(({ id }) => id);
    const { scope, shop, subscriptionQueries: queries } = world;

    const listed = await readByCursor((page) => queries.page(scope, shop.id, { status: 'pending' }, page));

    expect(listed.map(({ id }) => id)).toEqual(offers.reverse());
  });

  it('is not known to another organization', async () => {
    const offered = await world.offer();

    const foreign = { organizationId: newId<typeof world.scope.organizationId>(), accountId: null };

    await expect(world.acceptAs.execute(foreign, offered.id, { externalId: 'w' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('Revoking', () => {
  it('lets the open request run out, and opens nothing more', async () => {
    const subscription = await world.active({ interval: 'P1D' });
    const open = await world.requestOf(subscription);

    const revoked = await world.revoke.byPayer(subscription.code);
    await world.pays(open);
    await world.passes(3 * DAY);

    expect(revoked).toMatchObject({ status: 'revoked', revokedBy: 'payer' });
    expect(await world.chargesOf(subscription)).toEqual(['0 paid completed']);
    expect(await world.countRequests()).toBe(1);
  });

  it('before the request is opened opens none', async () => {
    const subscription = await world.accept(await world.offer());

    await world.revoke.byWallet(world.scope, subscription.id, { externalId: 'wallet-1' });
    await world.work();

    expect(await world.countRequests()).toBe(0);
    expect(await world.chargesOf(subscription)).toEqual(['0 unpaid undefined']);
  });

  it('is refused to a wallet that has not accepted, and one that nobody knows', async () => {
    const subscription = await world.active();
    await world.accept(await world.offer(), 'wallet-2');

    for (const externalId of ['wallet-2', 'wallet-3']) {
      const revoking = world.revoke.byWallet(world.scope, subscription.id, { externalId });
      await expect(revoking).rejects.toMatchObject({ code: 'state_conflict' });
    }
    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
  });

  it('and accepting take the id that the service has given', async () => {
    const first = await world.accept(await world.offer(), 'wallet-1');

    const second = await world.acceptAs.execute(world.scope, (await world.offer()).id, {
      id: first.wallet!.id,
    });

    expect(second.wallet).toEqual(first.wallet);
    const unknown = world.acceptAs.execute(world.scope, (await world.offer()).id, { id: newId() });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });
});
