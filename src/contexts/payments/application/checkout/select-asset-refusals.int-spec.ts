import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DOLLAR, ETHER, EURO, NETWORK, OTHER_DOLLAR } from '../../testing/requests/collecting-world.js';
import { openCheckouts, payAll, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { pay, refusal } from '../../testing/requests/open-payments.js';
import type { CheckoutView } from '../requests/payment-request-view.js';

/** Nobody posts to the ledger here, which the clock then finds late. */
const UNPOSTED = ['ledger-confirmed-posted-once'];

let checkouts: Checkouts;
let brokenOnPurpose: readonly string[];
beforeEach(async () => {
  brokenOnPurpose = [];
  checkouts = await openCheckouts();
});
afterEach(async () => {
  await checkouts.close(brokenOnPurpose);
});

async function selections({ id }: CheckoutView): Promise<object[]> {
  return checkouts.platform.database.query(
    'SELECT * FROM payments.selections WHERE payment_request_id = $1',
    [id],
  );
}

describe('Selecting an asset that cannot be', () => {
  it.each([
    ['is none of the options', OTHER_DOLLAR.uniqueAssetId],
    ['nobody knows', 'nnowhere_t0x0'],
    ['is no id', `${'x'.repeat(10_000)}\0`],
  ])('names the options where it %s', async (_what, uniqueAssetId) => {
    const checkout = await checkouts.checkout({}, await checkouts.shopFor(DOLLAR, EURO));

    const error = await refusal(checkouts.selecting().execute(checkout.sessionId, uniqueAssetId));

    expect(error.errors.map(({ field, rule }) => [field, rule])).toEqual([
      ['unique_asset_id', 'payment_option'],
    ]);
    expect(error.message).toContain(`${DOLLAR.uniqueAssetId}, ${EURO.uniqueAssetId}`);
    expect((await checkouts.session(checkout))!.status).toBe('pending');
  });

  it('names the options where it was withdrawn since', async () => {
    const checkout = await checkouts.checkout();
    checkouts.catalogue.withdrawn = [EURO];

    const error = await refusal(checkouts.select(checkout, EURO));

    expect(error.errors.map(({ rule }) => rule)).toEqual(['payment_option']);
  });

  it.each([
    ['without a price', 'rate_unavailable', () => checkouts.rates.set('WETH', 'USD', null)],
    ['below its minimum', 'validation_failed', () => checkouts.rates.set('WETH', 'USD', '100000.01')],
    ['of a network that takes no requests', 'unavailable', () => void (checkouts.catalogue.taking = false)],
    [
      'of a network that nobody reads yet',
      'unavailable',
      () =>
        void checkouts.platform.database.query('DELETE FROM payments.chain_cursors WHERE network = $1', [
          NETWORK,
        ]),
    ],
  ])('leaves the checkout as it was with one %s', async (_what, code, happen) => {
    const checkout = await checkouts.checkout();
    happen();

    const error = await refusal(checkouts.select(checkout, ETHER));

    expect(error.code).toBe(code);
    expect((await checkouts.session(checkout))!.status).toBe('pending');
    expect(await selections(checkout)).toEqual([]);
  });

  it('is refused once a payment was seen; the same one stays selected', async () => {
    const checkout = await checkouts.checkout();
    const selected = await checkouts.select(checkout, DOLLAR);
    checkouts.chain.mine(pay(selected.selected!, 1));
    await checkouts.follow();

    const error = await refusal(checkouts.select(checkout, EURO));
    const same = await checkouts.select(checkout, DOLLAR);

    expect([error.kind, error.code]).toEqual(['conflict', 'state_conflict']);
    expect(error.message).toContain('payment has already been detected');
    expect([same.status, same.selected!.receivedAmount]).toEqual(['processing', 10_000n]);
  });

  it('is refused when the payment was seen while the price was asked for', async () => {
    const checkout = await checkouts.checkout();
    const { selected } = await checkouts.select(checkout, DOLLAR);
    checkouts.rates.beforeAnswer = async () => {
      checkouts.chain.mine(pay(selected!, 1));
      await checkouts.follow();
    };

    const error = await refusal(checkouts.select(checkout, EURO));

    expect([error.code, (await checkouts.session(checkout))!.status]).toEqual([
      'state_conflict',
      'processing',
    ]);
    expect(await selections(checkout)).toHaveLength(1);
  });

  it('is refused after the end of the window by the clock, also what was selected before', async () => {
    const [checkout, chosen] = [await checkouts.checkout(), await checkouts.checkout()];
    await checkouts.select(chosen, ETHER);
    await checkouts.select(chosen, EURO);
    await checkouts.platform.advance(481);

    const errors = [
      await refusal(checkouts.select(checkout, DOLLAR)),
      await refusal(checkouts.select(chosen, ETHER)),
    ];

    expect(errors.map(({ kind, code }) => [kind, code])).toEqual(
      Array(2).fill(['conflict', 'state_conflict']),
    );
    expect((await checkouts.session(chosen))!.selected!.currency).toBe('EURX');
    await checkouts.expireUnselected.execute();
  });

  it('is refused once a payment was seen, also what was selected before, whichever of them was paid', async () => {
    const checkout = await checkouts.checkout();
    const { selected } = await checkouts.select(checkout, ETHER);
    await checkouts.select(checkout, EURO);
    checkouts.chain.mine({ ...pay(selected!, 0, ETHER.token), amount: ETHER.minimumAmount });
    await checkouts.follow();

    const error = await refusal(checkouts.select(checkout, EURO));

    expect([error.kind, error.code]).toEqual(['conflict', 'state_conflict']);
    expect((await checkouts.session(checkout))!.selected!.currency).toBe('WETH');
  });

  it('is refused when the checkout has ended, also the same again', async () => {
    const [expired, paid] = [await checkouts.checkout(), await checkouts.checkout()];
    checkouts.chain.mine(payAll(await checkouts.select(paid, DOLLAR), DOLLAR));
    checkouts.chain.mineEmpty(2);
    await checkouts.follow();
    await checkouts.platform.advance(481);
    await checkouts.expireUnselected.execute();
    brokenOnPurpose = UNPOSTED;

    const errors = [
      await refusal(checkouts.select(expired, DOLLAR)),
      await refusal(checkouts.select(paid, EURO)),
      await refusal(checkouts.select(paid, DOLLAR)),
    ];

    expect(errors.map(({ code }) => code)).toEqual(['state_conflict', 'state_conflict', 'state_conflict']);
    expect(errors.map(({ message }) => message)).toEqual(Array(3).fill(expect.stringContaining('has ended')));
  });

  it('is not found with a session that nobody was given', async () => {
    const error = await refusal(checkouts.selecting().execute('A'.repeat(32), DOLLAR.uniqueAssetId));

    expect([error.kind, error.code]).toEqual(['not_found', 'not_found']);
  });
});
