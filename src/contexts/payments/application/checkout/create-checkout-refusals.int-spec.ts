import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { refusal } from '../../testing/requests/open-payments.js';
import { DOLLAR, ETHER, EURO, NETWORK, OTHER_DOLLAR } from '../../testing/requests/collecting-world.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
});
afterEach(async () => {
  await checkouts.close();
});

async function stored(): Promise<number> {
  const rows = await checkouts.platform.database.query(
    `SELECT id FROM payments.payment_requests UNION ALL SELECT payment_request_id FROM payments.checkouts
     UNION ALL SELECT payment_request_id FROM payments.deposit_addresses UNION ALL SELECT id FROM platform.events`,
  );
  return rows.length;
}

describe('A checkout that cannot be created', () => {
  it.each([
    ['amount', 'not_a_decimal', { amount: '1e3' }],
    ['amount', 'not_positive', { amount: '0' }],
    ['amount', 'too_many_decimals', { amount: '10.005' }],
    ['amount', 'too_many_decimals', { amount: '10.5', coinCode: 'JPY' }],
    ['amount', 'too_many_decimals', { amount: '1.0000001', coinCode: 'USDX' }],
    ['amount', 'minimum_amount', { amount: '0.01', coinCode: 'EURX' }],
    ['coin_code', 'coin_code', { coinCode: 'usd' }],
    ['coin_code', 'coin_code', { coinCode: 'NOPE' }],
    ['coin_code', 'coin_code', { coinCode: '__proto__' }],
    ['return_url', 'https_url', { returnUrl: 'http://shop.example' }],
    ['return_url', 'https_url', { returnUrl: 'javascript:alert(1)' }],
  ])('names the field %s and the rule %s, and stores nothing', async (field, rule, input) => {
    const shop = await checkouts.shopFor(ETHER);

    const error = await refusal(checkouts.checkout(input, shop));

    expect([error.kind, error.errors.map((e) => [e.field, e.rule])]).toEqual(['invalid', [[field, rule]]]);
    expect(await stored()).toBe(0);
  });

  it('is refused where no option has a price now, also beside one below its minimum', async () => {
    checkouts.rates.set('WETH', 'USD', null);
    checkouts.rates.set('EURX', 'USD', null);
    const unpriced = await checkouts.shopFor(ETHER, EURO);
    const mixed = await checkouts.shopFor(OTHER_DOLLAR, EURO);

    const errors = [
      await refusal(checkouts.checkout({}, unpriced)),
      await refusal(checkouts.checkout({ amount: '0.001', coinCode: 'USDX' }, mixed)),
    ];

    expect(errors.map(({ kind, code }) => [kind, code])).toEqual([
      ['unavailable', 'rate_unavailable'],
      ['unavailable', 'rate_unavailable'],
    ]);
    expect(await stored()).toBe(0);
  });

  it.each([
    ['a settlement address', { terms: new Map() }, 'settlement_address_missing'],
    [
      'a payment option that is still configured',
      { paymentOptions: [`n${NETWORK}_t0xgone`] },
      'state_conflict',
    ],
  ])('is told that its point of sale lacks %s', async (_what, fields, code) => {
    const shop = await checkouts.openShop(fields);

    const error = await refusal(checkouts.checkout({}, shop));

    expect([error.kind, error.code, await stored()]).toEqual(['conflict', code, 0]);
  });

  it('is unavailable while no network takes requests, and while nobody reads the only one', async () => {
    const shop = await checkouts.shopFor(DOLLAR);
    await checkouts.platform.database.query(`DELETE FROM payments.chain_cursors WHERE network = $1`, [
      NETWORK,
    ]);
    const unread = await refusal(checkouts.checkout({}, shop));
    checkouts.catalogue.taking = false;
    const withdrawn = await refusal(checkouts.checkout());

    expect([unread.kind, withdrawn.kind, await stored()]).toEqual(['unavailable', 'unavailable', 0]);
  });
});
