import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { ChargeRequestInput } from '../../contract/charge-requests.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { DOLLAR, ETHER, NETWORK } from '../../testing/requests/collecting-world.js';
import { refusal } from '../../testing/requests/open-payments.js';

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
});
afterEach(() => checkouts.close());

/** Checking and opening must be refused with the same error, which this returns. */
async function refusedWith(fields: Partial<ChargeRequestInput>, shop: CollectingPoint = checkouts.shop) {
  const input = checkouts.charge(fields, shop);
  const opening = await refusal(checkouts.charges.open(input));
  const checking = await refusal(checkouts.charges.check(input));
  expect(checking).toEqual(opening);
  expect(await checkouts.countStored()).toBe(0);
  return opening;
}

describe('A charge that cannot be opened', () => {
  it.each([
    ['amount', 'not_a_decimal', { amount: '1e3' }],
    ['amount', 'not_positive', { amount: '0' }],
    ['amount', 'too_many_decimals', { amount: '1.0000001' }],
    ['amount', 'minimum_amount', { amount: '0.001' }],
    ['unique_asset_id', 'payment_option', { uniqueAssetId: ETHER.uniqueAssetId }],
    ['unique_asset_id', 'payment_option', { uniqueAssetId: 'nothing' }],
  ])('names the field %s and the rule %s, and stores nothing', async (field, rule, input) => {
    const error = await refusedWith(input, await checkouts.shopFor(DOLLAR));

    expect([error.kind, error.errors.map((each) => [each.field, each.rule])]).toEqual([
      'invalid',
      [[field, rule]],
    ]);
  });

  it('is refused where no settlement address is set', async () => {
    const { code } = await refusedWith({}, await checkouts.openShop({ terms: new Map() }));

    expect(code).toBe('settlement_address_missing');
  });

  it('is not_found on a point of sale of another organization, and of another account', async () => {
    const { organizationId, accountId } = checkouts.shop;
    const stranger = await checkouts.openShop();
    const branch = await checkouts.openShop({ organizationId });

    const errors = [
      await refusedWith({ scope: { organizationId, accountId } }, stranger),
      await refusedWith({ scope: { organizationId, accountId } }, branch),
    ];

    expect(errors.map(({ code }) => code)).toEqual(['not_found', 'not_found']);
  });

  it('is unavailable while its network is not read, and while it takes no requests', async () => {
    await checkouts.platform.database.query('DELETE FROM payments.chain_cursors WHERE network = $1', [
      NETWORK,
    ]);
    const unread = await refusedWith({});
    checkouts.catalogue.taking = false;
    const closed = await refusedWith({});

    expect([unread.kind, closed.kind]).toEqual(['unavailable', 'unavailable']);
  });
});

describe('A physical point of sale', () => {
  it('refuses charges, and keeps the request of the customer at the till open', async () => {
    const till = await checkouts.openShop({ type: 'physical' });
    const customer = await checkouts.request({}, till);
    const input = checkouts.charge({}, till);

    const errors = [
      await refusal(checkouts.charges.open(input)),
      await refusal(checkouts.charges.check(input)),
    ];

    expect(errors.map(({ code, message }) => [code, message])).toEqual(
      Array(2).fill([
        'state_conflict',
        expect.stringContaining('would end the payment in progress at a physical point of sale'),
      ]),
    );
    expect((await checkouts.read(customer)).expiresAt).toEqual(customer.expiresAt);
  });
});

describe('A charge that can be opened', () => {
  it('is checked without storing anything: what, how much, for whom', async () => {
    const { organizationId, accountId, id: pointOfSaleId } = checkouts.shop;
    const scope = { organizationId, accountId: null };
    const uniqueAssetId = DOLLAR.uniqueAssetId.toLowerCase();

    const checked = await checkouts.charges.check({ scope, pointOfSaleId, uniqueAssetId, amount: '12.50' });

    expect(checked).toEqual({
      organizationId,
      accountId,
      merchantName: 'Corner Coffee',
      uniqueAssetId: DOLLAR.uniqueAssetId,
      network: NETWORK,
      currency: 'USDX',
      decimals: 6,
      amount: 12_500_000n,
    });
    expect(await checkouts.countStored()).toBe(0);
  });

  it('is checked and opened by what its point of sale has become, not by what memory has', async () => {
    await checkouts.charges.open(checkouts.charge());
    await checkouts.pointsOfSale.change(checkouts.shop, { merchant: { name: 'Another name' } });

    const checked = await checkouts.charges.check(checkouts.charge());
    await checkouts.pointsOfSale.change(checkouts.shop, { paymentOptions: [ETHER.uniqueAssetId] });
    const error = await refusal(checkouts.charges.open(checkouts.charge()));

    expect([checked.merchantName, error.errors[0]!.rule]).toEqual(['Another name', 'payment_option']);
  });
});
