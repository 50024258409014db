import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DOLLAR, ETHER, EURO, OTHER_DOLLAR, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import type { CheckoutView } from '../requests/payment-request-view.js';

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
});
afterEach(() => checkouts.close());

/** The part of a session that every reader gets. */
function readable({ selected, ...session }: CheckoutView) {
  if (selected === undefined) return session;
  const { network, uniqueAssetId, currency, decimals, amount, address, rate } = selected;
  return { ...session, selected: { network, uniqueAssetId, currency, decimals, amount, address, rate } };
}

describe('Creating a checkout with one payment option', () => {
  it('selects it at once: address shown, rate kept with its sources and its time', async () => {
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
    expect(readable(read!)).toEqual(readable(created));
    expect(await checkouts.told(created)).toEqual(['created']);
  });

  it('rounds up to the smallest unit', async () => {
    const shop = await checkouts.shopFor(ETHER);

    const { selected } = await checkouts.checkout({ amount: '10.00' }, shop);

    const worth = (units: bigint) => units * 251_231n;
    const wanted = 1_000n * 10n ** 18n;
    expect(worth(selected!.amount) >= wanted).toBe(true);
    expect(worth(selected!.amount - 1n) < wanted).toBe(true);
    expect(selected!.amount).toBe(3_980_400_507_899_105n);
  });

  it('takes a peg for 1:1 and asks no market', async () => {
    checkouts.rates.beforeAnswer = () => {
      throw new Error('No market is to be asked.');
    };
    const at = await checkouts.platform.clock.now();

    const { selected } = await checkouts.checkout({ at }, await checkouts.shopFor(DOLLAR));

    expect(selected).toMatchObject({ amount: 10_000_000n, rate: { price: '1', sources: ['peg'], at } });
  });

  it('needs no price in the asset’s own symbol', async () => {
    const created = await checkouts.checkout(
      { amount: '0.25', coinCode: 'WETH' },
      await checkouts.shopFor(ETHER),
    );

    const read = await checkouts.session(created);
    expect(created.selected!.amount).toBe(25n * 10n ** 16n);
    expect('rate' in read!.selected!).toBe(false);
  });

  it('sends one statement once the point of sale is known', async () => {
    const shop = await checkouts.shopFor(DOLLAR);
    await checkouts.checkout({}, shop);

    const statements = await checkouts.database.sentBy(() => checkouts.checkout({}, shop));

    expect(statements).toHaveLength(1);
  });

  it('is paid like any other payment request', async () => {
    const shop = await checkouts.shopFor(DOLLAR);
    const created = await checkouts.checkout({}, shop);

    checkouts.chain.mine({
      to: created.selected!.address,
      amount: created.selected!.amount,
      token: DOLLAR.token,
    });
    checkouts.chain.mineEmpty(2);
    await checkouts.follow();

    expect(await checkouts.session(created)).toMatchObject({
      status: 'completed',
      selected: { receivedAmount: 10_000_000n, transfers: [{ blockNumber: 1 }] },
    });
  });
});

describe('Creating a checkout with several payment options', () => {
  it('waits for the payer’s choice, without address', async () => {
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

  it('sends one statement once the point of sale is known', async () => {
    await checkouts.checkout();

    const statements = await checkouts.database.sentBy(() => checkouts.checkout());

    expect(statements).toHaveLength(1);
  });

  it('leaves out those of which the price would be less than their minimum', async () => {
    checkouts.rates.set('WETH', 'USD', '100000.01');

    const { paymentOptions } = await checkouts.checkout({ amount: '10.00' });

    expect(paymentOptions).toEqual([DOLLAR, EURO, OTHER_DOLLAR].map(({ uniqueAssetId }) => uniqueAssetId));
  });

  it('selects at once the only one that is left', async () => {
    const shop = await checkouts.shopFor(DOLLAR, ETHER);
    checkouts.rates.set('WETH', 'USD', '100000.01');

    const created = await checkouts.checkout({}, shop);

    expect([created.status, created.selected!.uniqueAssetId]).toEqual(['created', DOLLAR.uniqueAssetId]);
  });

  it('offers one whose price is not known now, to be chosen later', async () => {
    checkouts.rates.set('WETH', 'USD', null);

    const { status, paymentOptions } = await checkouts.checkout({}, await checkouts.shopFor(DOLLAR, ETHER));

    expect([status, paymentOptions]).toEqual(['pending', [DOLLAR.uniqueAssetId, ETHER.uniqueAssetId]]);
  });

  it('leaves out those of a network without settlement address, and of one that takes no requests', async () => {
    const shop = await checkouts.openShop({
      terms: new Map([...checkouts.shop.terms].filter(([network]) => network === OTHER_NETWORK)),
    });

    const { status, selected } = await checkouts.checkout({}, shop);

    expect([status, selected!.uniqueAssetId]).toEqual(['created', OTHER_DOLLAR.uniqueAssetId]);
  });
});
