import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import { ADDRESS, OTHER_ADDRESS, PointOfSaleParts, wholeOf } from '../../testing/point-of-sale-parts.js';
import { tenant, type Tenant } from '../../testing/tenants.js';

let parts: PointOfSaleParts;
let owner: Tenant;
let stranger: Tenant;
const page: PageRequest = { page: 1, pageSize: 10 };

/** Lists as the API does: in the caller's own scope, or in that of the account it names. */
async function list(scope: Scope, account?: string, request = page) {
  return parts.records.list(await parts.accounts.narrowIfNamed(scope, account), request);
}

beforeAll(async () => {
  parts = await PointOfSaleParts.open();
  owner = await tenant(parts.platform.database, 2);
  stranger = await tenant(parts.platform.database);
  for (const accountId of owner.accountIds) await parts.create(owner, { account: accountId });
  await parts.create(stranger);
});
afterAll(() => parts.close());

describe('Listing points of sale', () => {
  it('shows an organization all of its own, with names, or one account’s', async () => {
    const [first, second] = owner.accountIds;

    const all = await list(wholeOf(owner));
    const one = await list(wholeOf(owner), second!.toUpperCase());

    expect(all.total).toBe(2);
    expect(all.items.map(({ accountId, accountName }) => [accountId, accountName])).toEqual([
      [first, 'Branch 1'],
      [second, 'Branch 2'],
    ]);
    expect(all.items[0]).toMatchObject({
      organizationName: 'Example Shops',
      type: 'online',
      returnUrl: null,
    });
    expect(one.items.map(({ accountId }) => accountId)).toEqual([second]);
  });

  it('shows an account its own, and pages exactly', async () => {
    const own = await list({ ...wholeOf(owner), accountId: owner.accountIds[0] });
    const last = await list(wholeOf(owner), undefined, { page: 2, pageSize: 1 });
    const beyond = await list(wholeOf(owner), undefined, { page: 3, pageSize: 1 });

    expect(own.items.map(({ accountId }) => accountId)).toEqual([owner.accountIds[0]]);
    expect([last.total, last.items[0]?.accountId]).toEqual([2, owner.accountIds[1]]);
    const byCursor = await readByCursor((request) => list(wholeOf(owner), undefined, request));

    expect(beyond).toEqual({ total: 2, items: [] });
    expect(byCursor.map(({ accountId }) => accountId)).toEqual(owner.accountIds);
  });

  it('offers all of few beside the one that was chosen, and none beside what is no choice', async () => {
    const [first] = (await list(wholeOf(owner))).items;
    const offered = async (typed: string) => (await parts.records.choices(wholeOf(owner), { typed })).total;

    expect(await Promise.all([first!.id, 'branch 1', newId<string>()].map(offered))).toEqual([2, 1, 0]);
  });

  it('lets nobody name an account that is not theirs to name, whether it exists or not', async () => {
    const [own, other] = owner.accountIds;
    const organization = wholeOf(owner);
    const account = { ...organization, accountId: own };

    for (const [scope, named] of [
      [organization, stranger.accountIds[0]],
      [organization, newId<string>()],
      [organization, 'no-id'],
      [account, own],
      [account, other!],
      [account, newId<string>()],
    ] as const) {
      await expect(list(scope, named)).rejects.toMatchObject({
        kind: 'forbidden',
        code: 'account_not_allowed',
      });
    }
  });
});

describe('The address that an organization withdraws to', () => {
  it('is the latest address of the organization, even if an account received a newer one', async () => {
    const shop = await tenant(parts.platform.database);
    await parts.setTerms(shop, { settlementAddress: OTHER_ADDRESS });
    await parts.setTerms(shop, { settlementAddress: ADDRESS });
    await parts.setTerms(shop, { settlementAddress: OTHER_ADDRESS, accountId: shop.accountIds[0] });

    expect(await parts.terms.settlementAddress(shop.organizationId, 'polygon')).toBe(ADDRESS);
  });
});

describe('A point of sale that was read before', () => {
  it('is read again by the process that changed it', async () => {
    const shop = await tenant(parts.platform.database);
    await parts.setTerms(shop);
    const { id } = await parts.create(shop);
    await parts.pointsOfSale.find(wholeOf(shop), id);

    await parts.change(shop, id, { merchant: { name: 'Renamed' } });

    expect((await parts.pointsOfSale.find(wholeOf(shop), id)).merchant.name).toBe('Renamed');
  });
});
