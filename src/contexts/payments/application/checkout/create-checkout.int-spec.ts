import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  DOLLAR,
  ETHER,
  EURO,
  OTHER_DOLLAR,
  OTHER_NETWORK,
  NETWORK,
} from '../../testing/requests/collecting-world.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import type { Asset } from '#shared/kernel/asset.js';
import { refusal } from '../../testing/requests/open-payments.js';
import { keyLookupIn, verifyNaspipToken } from '#shared/naspip/naspip-token.js';

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
});
afterEach(() => checkouts.close());

describe('A checkout with one payment option', () => {
  it('selects it immediately and stores the rate with its sources and time', async () => {
    const shop = await checkouts.shopFor(ETHER);
    const at = await checkouts.platform.clock.now();

    const created = await checkouts.checkout({ at, referenceId: 'order-7' }, shop);

    const read = await checkouts.session(created);
    expect(created).toMatchObject({
      status: 'created',
      amount: '10',
      coinCode: 'USD',
      referenceId: 'order-7',
    });
    expect(created.selected).toMatchObject({
      uniqueAssetId: ETHER.uniqueAssetId,
      rate: { price: '2512.31', sources: ['kraken'], at: checkouts.rates.at },
    });
    expect([created.createdAt, created.expiresAt]).toEqual([at, new Date(at.getTime() + 480_000)]);
    const { selected, ...facts } = created;
    expect({ ...read, ...facts }).toEqual(read);
    expect(read!.selected).toMatchObject({ address: selected!.address, amount: selected!.amount });
    expect(await checkouts.told(created)).toEqual(['created']);
  });
});

describe('A checkout with several payment options', () => {
  it('waits for the choice of the payer, without an address', async () => {
    const created = await checkouts.checkout();

    const addresses = await checkouts.platform.database.query('SELECT * FROM payments.deposit_addresses');
    expect(created).toMatchObject({
      status: 'pending',
      paymentOptions: [DOLLAR, EURO, ETHER, OTHER_DOLLAR].map(({ uniqueAssetId }) => uniqueAssetId),
    });
    expect('selected' in created).toBe(false);
    expect(await checkouts.session(created)).toEqual(created);
    expect(addresses).toEqual([]);
    expect(await checkouts.told(created)).toEqual(['pending']);
  });

  it('omits options below their minimum, and offers one whose price is unknown', async () => {
    const shop = await checkouts.shopFor(DOLLAR, ETHER);
    checkouts.rates.set('WETH', 'USD', '100000.01');
    const all = await checkouts.checkout();
    const only = await checkouts.checkout({}, shop);
    checkouts.rates.set('WETH', 'USD', '100000');
    const atMinimum = await checkouts.checkout({}, shop);
    checkouts.rates.set('WETH', 'USD', null);
    const unpriced = await checkouts.checkout({}, shop);

    const ids = (...assets: readonly Asset[]) => assets.map(({ uniqueAssetId }) => uniqueAssetId);
    expect(all.paymentOptions).toEqual(ids(DOLLAR, EURO, OTHER_DOLLAR));
    expect([only.status, only.selected!.uniqueAssetId]).toEqual(['created', DOLLAR.uniqueAssetId]);
    for (const { status, paymentOptions } of [atMinimum, unpriced])
      expect([status, paymentOptions]).toEqual(['pending', ids(DOLLAR, ETHER)]);
  });

  it('omits options of networks without a settlement address', async () => {
    const shop = await checkouts.openShop({
      terms: new Map([...checkouts.shop.terms].filter(([network]) => network === OTHER_NETWORK)),
    });

    const { status, selected } = await checkouts.checkout({}, shop);

    expect([status, selected!.uniqueAssetId]).toEqual(['created', OTHER_DOLLAR.uniqueAssetId]);
  });
});

describe('A checkout that cannot be created', () => {
  it('rejects invalid input by field and rule, and stores nothing', async () => {
    const shop = await checkouts.shopFor(ETHER);
    for (const [field, rule, input] of [
      ['amount', 'not_a_decimal', { amount: '1e3' }],
      ['amount', 'not_positive', { amount: '0' }],
      ['amount', 'too_many_decimals', { amount: '10.005' }],
      ['amount', 'too_many_decimals', { amount: '10.5', coinCode: 'JPY' }],
      ['amount', 'minimum_amount', { amount: '0.01', coinCode: 'EURX' }],
      ['coin_code', 'coin_code', { coinCode: 'usd' }],
      ['coin_code', 'coin_code', { coinCode: '__proto__' }],
      ['return_url', 'https_url', { returnUrl: 'http://shop.example' }],
      ['return_url', 'https_url', { returnUrl: 'javascript:alert(1)' }],
    ] as const) {
      const { kind, errors } = await refusal(checkouts.checkout(input, shop));
      expect([kind, errors.map((each) => [each.field, each.rule])]).toEqual(['invalid', [[field, rule]]]);
    }

    expect(await checkouts.countStored()).toBe(0);
  });

  it('is unavailable if no option has a price, or if each option with a price is below its minimum', async () => {
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
    expect(await checkouts.countStored()).toBe(0);
  });

  it('requires a settlement address, a configured option, and a network that is read and takes requests', async () => {
    const homeless = await checkouts.openShop({ terms: new Map() });
    const outdated = await checkouts.openShop({ paymentOptions: [`n${NETWORK}_t0xgone`] });
    const shop = await checkouts.shopFor(DOLLAR);
    const errors = [
      await refusal(checkouts.checkout({}, homeless)),
      await refusal(checkouts.checkout({}, outdated)),
    ];
    await checkouts.platform.database.query('DELETE FROM payments.chain_cursors WHERE network = $1', [
      NETWORK,
    ]);
    errors.push(await refusal(checkouts.checkout({}, shop)));
    checkouts.catalogue.taking = false;
    errors.push(await refusal(checkouts.checkout()));

    expect(errors.map(({ code }) => code)).toEqual([
      ...['settlement_address_missing', 'state_conflict'],
      ...['unavailable', 'unavailable'],
    ]);
    expect(await checkouts.countStored()).toBe(0);
  });
});

describe('The payment token of a checkout', () => {
  it('has a valid signature, names the URL and the options, and expires with the window', async () => {
    const created = await checkouts.checkout();

    const keys = keyLookupIn(checkouts.tokens.publicKeys());
    const { payload, expiresAt } = verifyNaspipToken(created.token, keys, created.createdAt);
    expect(payload).toMatchObject({
      url: `https://api.example/public/checkout/${created.sessionId}/payment`,
      paymentOptions: created.paymentOptions,
      order: { total: '10', coinCode: 'USD' },
    });
    expect(expiresAt).toEqual(created.expiresAt);
  });

  it('names the merchant at its creation, and has a random id', async () => {
    const merchant = { name: 'Another name', tax_id: 'DE123' };

    const [created, other] = [await checkouts.checkout({ order: { merchant } }), await checkouts.checkout()];
    expect(created.sessionId).toMatch(/^0[A-Za-z0-9_-]{31}$/);
    expect(created.sessionId).not.toBe(other.sessionId);

    await checkouts.pointsOfSale.change(checkouts.shop, { merchant: { name: 'Later' } });
    const session = (await checkouts.session(created))!;
    const { payload } = verifyNaspipToken(
      created.token,
      keyLookupIn(checkouts.tokens.publicKeys()),
      created.createdAt,
    );
    expect(payload.order!.merchant).toEqual({ name: 'Another name' });
    expect(session.merchant).toEqual({ name: 'Another name', taxId: 'DE123' });
    expect(session.order).toEqual({ total: '10', coin_code: 'USD', merchant });
  });
});

describe('The session of a checkout', () => {
  it('uses its own return URL, else that of its point of sale', async () => {
    const shop = await checkouts.openShop({
      returnUrl: 'https://shop.example/back',
      frameOrigins: ['https://f.example'],
      checkoutFirst: 'code',
    });

    const own = await checkouts.checkout({ returnUrl: 'https://shop.example/order/7' }, shop);
    const its = await checkouts.checkout({}, shop);
    const none = await checkouts.checkout();

    const read = await Promise.all([own, its, none].map(checkouts.session));
    expect(read.map((session) => session!.returnUrl)).toEqual([
      'https://shop.example/order/7',
      'https://shop.example/back',
      undefined,
    ]);
    expect(read.map((session) => session!.frameOrigins)).toEqual([
      ['https://f.example'],
      ['https://f.example'],
      [],
    ]);
    expect(read.map((session) => session!.checkoutFirst)).toEqual(['code', 'code', 'address']);
  });
});

describe('A checkout on a physical point of sale', () => {
  it('closes the previous checkout, with or without a selected asset, which then expires', async () => {
    const till = await checkouts.openShop({ type: 'physical' });
    const pending = await checkouts.checkout({}, till);
    const chosen = await checkouts.checkout({}, till);
    await checkouts.select(chosen, DOLLAR);
    const open = await checkouts.checkout({}, till);

    await checkouts.platform.advance(1);
    await checkouts.expireUnselected.expire();
    checkouts.chain.mineAt(new Date(open.createdAt.getTime() + 60_001));
    await checkouts.follow();

    const read = await Promise.all([pending, chosen, open].map(checkouts.session));
    expect(read.map((session) => session!.status)).toEqual(['expired', 'expired', 'pending']);
    expect(read.map((session) => session!.expiresAt)).toEqual([
      chosen.createdAt,
      open.createdAt,
      open.expiresAt,
    ]);
  });
});
