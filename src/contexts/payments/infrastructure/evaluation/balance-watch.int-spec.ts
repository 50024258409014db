import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { COIN, DOLLAR, NETWORK, SmallCatalogue } from '../../testing/requests/collecting-world.js';

let checkouts: Checkouts;
beforeEach(async () => {
  const catalogue = SmallCatalogue.ofTwoNetworks();
  checkouts = await openCheckouts(new SmallCatalogue(catalogue.networks(), [...catalogue.assets(), COIN]));
  checkouts.rates.set('ETH', 'USD', '2500.00');
});
afterEach(() => checkouts.close());

const watched = () =>
  checkouts.database.query('SELECT network, payment_request_id FROM payments.balance_watch');

describe('The set of watched balances', () => {
  it('includes a session that could be paid in the native coin at some time', async () => {
    const shop = await checkouts.shopFor(DOLLAR, COIN);
    const checkout = await checkouts.checkout({}, shop);
    await checkouts.select(checkout, DOLLAR);
    const before = await watched();

    await checkouts.select(checkout, COIN);
    await checkouts.select(checkout, DOLLAR);

    expect([before, await watched()]).toEqual([[], [{ network: NETWORK, paymentRequestId: checkout.id }]]);
  });
});
