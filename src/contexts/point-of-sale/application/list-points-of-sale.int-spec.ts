import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type PointOfSaleId } from '../../../shared/kernel/ids.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { ASSET, OTHER_ASSET } from '../testing/fixed-catalogue.js';
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

describe('Creating a point of sale', () => {
  it.each([
    ['name', { name: ' ' }],
    ['type', { type: 'virtual' }],
    ['config.payment_options', { paymentOptions: [] }],
    ['config.payment_options', { paymentOptions: ['npolygon_t0x0000000000000000000000000000000000000001'] }],
    ['config.return_url', { returnUrl: 'javascript:alert(1)' }],
    ['config.merchant.name', { merchant: { name: '' } }],
  ])('is refused for a bad %s', async (field, input) => {
    await expect(parts.create(owner, input)).rejects.toMatchObject({ errors: [{ field }] });
  });

  it.each([
    [
      'config.payment_options',
      { paymentOptions: [ASSET, ASSET.toUpperCase().replace('NPOLYGON', 'npolygon')] },
    ],
    ['config.frame_origins', { frameOrigins: ['https://a.example', 'https://a.example/'] }],
    ['config.frame_origins', { frameOrigins: ['https://a.example/path'] }],
    ['config.frame_origins', { frameOrigins: Array.from({ length: 21 }, (_, n) => `https://a${n}.example`) }],
    ['config.merchant.mcc', { merchant: { name: 'Shop', mcc: '57325' } }],
    ['config.merchant.image', { merchant: { name: 'Shop', image: 'http://shop.example/logo.png' } }],
  ])('is refused for a bad %s: %j', async (field, input) => {
    await expect(parts.create(owner, input)).rejects.toMatchObject({ errors: [{ field }] });
  });

  it('wants an account that the scope holds, and of a whole organization that it says which', async () => {
    const [own, other] = owner.accountIds;
    const ofOwn = { ...wholeOf(owner), accountId: own };

    for (const input of [
      { account: stranger.accountIds[0] },
      { account: 'no-id' },
      { scope: ofOwn, account: other! },
      { scope: ofOwn, account: newId<string>() },
    ])
      await expect(parts.create(owner, input)).rejects.toMatchObject({ code: 'account_not_allowed' });
    await expect(parts.create(owner, { account: undefined })).rejects.toMatchObject({
      errors: [{ field: 'account_id', rule: 'required' }],
    });
    expect(await parts.create(owner, { scope: ofOwn, account: undefined })).toMatchObject({ accountId: own });
    expect(await parts.create(owner, { scope: ofOwn, account: own })).toMatchObject({ accountId: own });
  });
});

describe('Changing a point of sale', () => {
  it('replaces its description whole, and writes to the audit log what it was', async () => {
    const before = await parts.create(owner, {
      merchant: { name: 'Shop', mcc: '5661' },
      returnUrl: 'https://shop.example/thanks',
      frameOrigins: ['https://shop.example'],
    });

    const asked = { actor: 'svc.dev.x', address: '203.0.113.7' };
    const after = await parts.change(owner, before.id, {
      name: 'Till',
      merchant: { name: 'Store' },
      ...asked,
    });

    const merchant = { name: 'Store' };
    const description = {
      name: 'Till',
      merchant,
      returnUrl: null,
      frameOrigins: [],
      paymentOptions: [ASSET],
    };
    expect(after).toEqual({ ...before, ...description, updatedAt: after.updatedAt });
    const [entry] = await parts.platform.database.query(
      'SELECT actor, address, action, before, after FROM identity.audit_log WHERE subject_id = $1 ORDER BY position DESC',
      [before.id],
    );
    expect(entry).toEqual({
      ...asked,
      action: 'point_of_sale.changed',
      before: expect.objectContaining({ name: 'Web shop', merchant: { name: 'Shop', mcc: '5661' } }),
      after: expect.objectContaining({ name: 'Till', merchant, return_url: null }),
    });
  });

  it('lets nobody give it another type or account, and lets who repeats what it has', async () => {
    const [own, other] = owner.accountIds;
    const { id } = await parts.create(owner);

    await expect(parts.change(owner, id, { type: 'physical' })).rejects.toMatchObject({
      errors: [{ field: 'type', rule: 'unchangeable' }],
    });
    await expect(parts.change(owner, id, { account: other! })).rejects.toMatchObject({
      errors: [{ field: 'account_id', rule: 'unchangeable' }],
    });
    expect(await parts.change(owner, id, { type: 'online', account: own.toUpperCase() })).toMatchObject({
      id,
    });
  });

  it('is for who holds it: others’ are missing', async () => {
    const { id } = await parts.create(owner);
    const missing = { code: 'not_found', message: expect.stringMatching(/^No such point of sale/) };
    const [, other] = owner.accountIds;

    for (const [tenant, changed, scope] of [
      [stranger, id, wholeOf(stranger)],
      [owner, id, { ...wholeOf(owner), accountId: other! }],
      [owner, newId<PointOfSaleId>(), wholeOf(owner)],
    ] as const)
      await expect(parts.change(tenant, changed, { scope })).rejects.toMatchObject(missing);
  });
});

describe('Listing settlement addresses', () => {
  it('shows for each network what an address would commit to now, its version and since when', async () => {
    const holder = await tenant(parts.platform.database, 2);
    const [own, other] = holder.accountIds;
    await parts.setTerms(holder, { network: 'erc20' });
    await parts.setTerms(holder, { settlementAddress: OTHER_ADDRESS });
    await parts.setTerms(holder, {
      settlementAddress: ADDRESS,
      feeBasisPoints: 50,
      feeRecipient: OTHER_ADDRESS,
    });
    const last = await parts.setTerms(holder, { accountId: own, settlementAddress: OTHER_ADDRESS });

    const ask = (account: string, wanted = page) =>
      parts.settlementAddresses.execute({ scope: wholeOf(holder), account, page: wanted });

    expect((await ask(own)).items).toMatchObject([
      { network: 'erc20', version: 1, accountId: null },
      {
        network: 'polygon',
        version: 1,
        accountId: own,
        settlementAddress: OTHER_ADDRESS,
        createdAt: last.createdAt,
      },
    ]);
    expect((await ask(other!)).items).toMatchObject([
      { network: 'erc20' },
      { network: 'polygon', version: 2, accountId: null, settlementAddress: ADDRESS, feeBasisPoints: 50 },
    ]);
    expect(await ask(other!, { page: 2, pageSize: 1 })).toMatchObject({
      total: 2,
      items: [{ network: 'polygon' }],
    });
    const { id } = await parts.create(holder, { paymentOptions: [ASSET, OTHER_ASSET] });
    const { terms } = await parts.pointsOfSale.find(wholeOf(holder), id);
    expect((await ask(own)).items.map((each) => each.id)).toEqual(
      ['erc20', 'polygon'].map((n) => terms.get(n)?.id),
    );
  });

  it('shows an account its own alone, and to an organization others’ are missing', async () => {
    const [own, other] = owner.accountIds;
    const ofOwn = { ...wholeOf(owner), accountId: own };
    const ask = (scope: Scope, account: string) =>
      parts.settlementAddresses.execute({ scope, account, page });

    expect(await ask(ofOwn, own.toUpperCase())).toMatchObject({ items: expect.any(Array) });
    for (const account of [other!, stranger.accountIds[0], 'no-id'])
      await expect(ask(ofOwn, account)).rejects.toMatchObject({ code: 'account_not_allowed' });
    for (const account of [stranger.accountIds[0], newId<string>(), 'no-id'])
      await expect(ask(wholeOf(owner), account)).rejects.toMatchObject({ code: 'not_found' });
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
