import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { PointOfSaleParts, wholeOf } from '../testing/point-of-sale-parts.js';
import { tenant, type Tenant } from '../testing/tenants.js';

let parts: PointOfSaleParts;
let owner: Tenant;
let stranger: Tenant;
const page = { page: 1, pageSize: 10 };

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

    const all = await parts.list.execute({ scope: wholeOf(owner), page });
    const one = await parts.list.execute({ scope: wholeOf(owner), account: second!.toUpperCase(), page });

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
    const own = await parts.list.execute({
      scope: { ...wholeOf(owner), accountId: owner.accountIds[0] },
      page,
    });
    const last = await parts.list.execute({ scope: wholeOf(owner), page: { page: 2, pageSize: 1 } });
    const beyond = await parts.list.execute({ scope: wholeOf(owner), page: { page: 3, pageSize: 1 } });

    expect(own.items.map(({ accountId }) => accountId)).toEqual([owner.accountIds[0]]);
    expect([last.total, last.items[0]?.accountId]).toEqual([2, owner.accountIds[1]]);
    expect(beyond).toEqual({ total: 2, items: [] });
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
      await expect(parts.list.execute({ scope, account: named, page })).rejects.toMatchObject({
        kind: 'forbidden',
        code: 'account_not_allowed',
      });
    }
  });
});
