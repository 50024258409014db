import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import { PostgresWallets } from '../infrastructure/persistence/postgres-wallets.js';
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

  it.each(['organization', 'account'] as const)('is not known to another %s', async (other) => {
    const { id } = await world.offer();
    const { scope, shop, subscriptionQueries: queries } = world;
    const foreign =
      other === 'account'
        ? { ...scope, accountId: newId<AccountId>() }
        : { ...scope, organizationId: newId<never>() };
    const page = { page: 1, pageSize: 10 };

    for (const refused of [
      world.acceptAs.execute(foreign, id, { externalId: 'w' }),
      queries.find(foreign, id),
      queries.page(foreign, shop.id, {}, page),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    expect((await queries.pageOfAll(foreign, {}, page)).total).toBe(0);
  });
});

describe('Revoking', () => {
  it('lets the open request expire and opens no other', async () => {
    const subscription = await world.active({ interval: 'P1D' });
    const open = await world.requestOf(subscription);

    const revoked = await world.revoke.byPayer(subscription.code);
    await world.pays(open);
    await world.passes(3 * DAY);

    expect(revoked).toMatchObject({ status: 'revoked', revokedBy: 'payer' });
    expect(await world.chargesOf(subscription)).toEqual(['0 paid completed']);
    expect(await world.countRequests()).toBe(1);
  });

  it('opens no request that was only planned', async () => {
    const subscription = await world.accept(await world.offer());

    await world.revoke.byWallet(world.scope, subscription.id, { externalId: 'wallet-1' });
    await world.work();

    expect(await world.countRequests()).toBe(0);
    expect(await world.chargesOf(subscription)).toEqual(['0 unpaid undefined']);
  });

  it('is refused to an unknown wallet and to one that has not accepted', async () => {
    const subscription = await world.active();
    await world.accept(await world.offer(), 'wallet-2');

    for (const externalId of ['wallet-2', 'wallet-3']) {
      const revoking = world.revoke.byWallet(world.scope, subscription.id, { externalId });
      await expect(revoking).rejects.toMatchObject({ code: 'state_conflict' });
    }
    expect(await world.read(subscription)).toMatchObject({ status: 'active' });
  });

  it('accepts the wallet id that the service assigned, only in its organization', async () => {
    const first = await world.accept(await world.offer(), 'wallet-1');

    const second = await world.acceptAs.execute(world.scope, (await world.offer()).id, {
      id: first.wallet!.id,
    });

    expect(second.wallet).toEqual(first.wallet);
    const unknown = world.acceptAs.execute(world.scope, (await world.offer()).id, { id: newId() });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
    const [wallets, stranger] = [new PostgresWallets(world.database), newId<OrganizationId>()];
    expect(await wallets.byExternalId(stranger, 'wallet-1')).toBeNull();
    await expect(wallets.find(stranger, first.wallet!.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is recorded once in the audit log, however often a person repeats it', async () => {
    const { id } = await world.active();
    for (let i = 0; i < 2; i += 1)
      await world.revoke.byMerchant(world.scope, world.shop.id, id, { actor: 'anna@shop.example' });

    const entries = await world.database.query(
      `SELECT actor FROM identity.audit_log WHERE action = 'subscription.revoked' AND subject_id = $1`,
      [id],
    );
    expect(entries).toEqual([{ actor: 'anna@shop.example' }]);
  });
});
