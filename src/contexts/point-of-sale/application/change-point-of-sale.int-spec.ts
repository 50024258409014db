import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type PointOfSaleId } from '#shared/kernel/ids.js';
import { ASSET } from '../testing/fixed-catalogue.js';
import { PointOfSaleParts, wholeOf } from '../testing/point-of-sale-parts.js';
import { tenant, type Tenant } from '../testing/tenants.js';

let parts: PointOfSaleParts;
let owner: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  parts = await PointOfSaleParts.open();
  owner = await tenant(parts.platform.database, 2);
  stranger = await tenant(parts.platform.database);
});
afterAll(() => parts.close());

describe('Changing a point of sale', () => {
  it('replaces its description whole, and writes to the audit log what it was', async () => {
    const before = await parts.create(owner, {
      merchant: { name: 'Shop', mcc: '5661' },
      returnUrl: 'https://shop.example/thanks',
      frameOrigins: ['https://shop.example'],
      checkoutFirst: 'code',
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
      checkoutFirst: 'address',
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
      before: expect.objectContaining({
        name: 'Web shop',
        merchant: { name: 'Shop', mcc: '5661' },
        checkout_first: 'code',
      }),
      after: expect.objectContaining({ name: 'Till', merchant, return_url: null }),
    });
  });

  it('keeps the code of a physical one, and refuses a till on an online one', async () => {
    const till = { coinCode: 'EUR', tipPercentages: [5, 10], products: [{ name: 'Tea', amount: '3.50' }] };
    const before = await parts.create(owner, { type: 'physical', openAmount: true, till });
    const kept = { ...till, products: [{ name: 'Tea', amount: '3.5' }] };
    expect(before).toMatchObject({
      openAmount: true,
      till: kept,
      code: expect.stringMatching(/^0[\w-]{22}$/),
    });

    const after = await parts.change(owner, before.id);

    expect(after).toMatchObject({ openAmount: false, till: null, code: before.code });
    const online = await parts.create(owner);
    expect(online.code).toBeNull();
    await expect(parts.change(owner, online.id, { till })).rejects.toMatchObject({
      errors: [{ field: 'config.till', rule: 'physical_only' }],
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
