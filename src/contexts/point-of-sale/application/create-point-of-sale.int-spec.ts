import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
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
    ['config.checkout_first', { checkoutFirst: 'browser' }],
    ['config.open_amount', { openAmount: true }],
    ['config.till', { till: { coinCode: 'EUR' } }],
    ['config.till.coin_code', { type: 'physical', till: { coinCode: 'DOGE' } }],
    ['config.till.tip_percentages', { type: 'physical', till: { coinCode: 'EUR', tipPercentages: [5, 5] } }],
    [
      'config.till.products[1].amount',
      {
        type: 'physical',
        till: {
          coinCode: 'JPY',
          products: [
            { name: 'Tea', amount: '300' },
            { name: 'Cake', amount: '300.5' },
          ],
        },
      },
    ],
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
