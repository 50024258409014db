import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../../shared/kernel/ids.js';
import { ADDRESS, OTHER_ADDRESS, PointOfSaleParts, wholeOf } from '../testing/point-of-sale-parts.js';
import { tenant, type Tenant } from '../testing/tenants.js';

let parts: PointOfSaleParts;
let owner: Tenant;
let stranger: Tenant;
const page = { page: 1, pageSize: 10 };

beforeAll(async () => {
  parts = await PointOfSaleParts.open();
  owner = await tenant(parts.platform.database, 2);
  stranger = await tenant(parts.platform.database);
  for (const accountId of owner.accountIds) await parts.create(owner, { accountId });
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

describe('Creating a point of sale', () => {
  it.each([
    ['name', { name: ' ' }],
    ['type', { type: 'virtual' }],
    ['payment_options', { paymentOptions: [] }],
    ['payment_options', { paymentOptions: ['npolygon_t0x0000000000000000000000000000000000000001'] }],
    ['return_url', { returnUrl: 'javascript:alert(1)' }],
    ['merchant.name', { merchant: { name: '' } }],
  ])('is refused for a bad %s', async (field, input) => {
    await expect(parts.create(owner, input)).rejects.toMatchObject({ errors: [{ field }] });
  });

  it('wants an account that the scope holds', async () => {
    const [own, other] = owner.accountIds;

    await expect(parts.create(owner, { accountId: stranger.accountIds[0] })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      parts.create(owner, { scope: { ...wholeOf(owner), accountId: own }, accountId: other! }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('Setting settlement terms', () => {
  it('makes new terms and leaves the old ones as they were', async () => {
    const tenantWithTerms = await tenant(parts.platform.database);
    const first = await parts.setTerms(tenantWithTerms, { settlementAddress: ADDRESS.toLowerCase() });

    const second = await parts.setTerms(tenantWithTerms, { settlementAddress: OTHER_ADDRESS });

    expect(first).toMatchObject({
      settlementAddress: ADDRESS,
      feeBasisPoints: 0,
      setBy: 'test',
    });
    expect(await parts.terms.current(tenantWithTerms.organizationId)).toEqual([second]);
    await expect(
      parts.platform.database.query('UPDATE point_of_sale.settlement_terms SET fee_basis_points = 1'),
    ).rejects.toThrow('append-only');
  });

  it.each([
    ['network', { network: 'tron' }],
    ['settlement_address', { settlementAddress: '0x52908400098527886E0F7030069857D2E4169Ee7' }],
    ['settlement_address', { settlementAddress: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359' }],
    ['fee_recipient', { feeBasisPoints: 1 }],
    ['fee_recipient', { feeBasisPoints: 1, feeRecipient: '0x0' }],
    ['fee_basis_points', { feeBasisPoints: 10_001, feeRecipient: ADDRESS }],
  ])('is refused for a bad %s', async (field, input) => {
    await expect(parts.setTerms(owner, input)).rejects.toMatchObject({ errors: [{ field }] });
  });

  it('wants an organization that exists and an account of it', async () => {
    await expect(parts.setTerms({ ...owner, organizationId: newId() })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(parts.setTerms(owner, { accountId: stranger.accountIds[0] })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
