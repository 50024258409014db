import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DOLLAR, EURO, OTHER_DOLLAR, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import { openCheckouts, payAll, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { FailWithdrawnPaymentRequests } from '../requests/fail-withdrawn-payment-requests.js';

let checkouts: Checkouts;
let withdraw: FailWithdrawnPaymentRequests;
beforeEach(async () => {
  checkouts = await openCheckouts();
  const { catalogue, requests, database, platform } = checkouts;
  withdraw = new FailWithdrawnPaymentRequests(catalogue, requests, database, platform.clock);
});
afterEach(() => checkouts.close());

describe('Withdrawing an asset that checkouts offer', () => {
  it('fails those in which it is selected, and no other', async () => {
    const [selected, earlier, offered] = [
      await checkouts.checkout(),
      await checkouts.checkout(),
      await checkouts.checkout(),
    ];
    await checkouts.select(selected, DOLLAR);
    await checkouts.select(selected, EURO);
    await checkouts.select(earlier, EURO);
    await checkouts.select(earlier, DOLLAR);
    checkouts.catalogue.withdrawn = [EURO];

    const open = await checkouts.requests.openByAsset();
    const failed = await withdraw.execute(EURO.uniqueAssetId);

    const read = await Promise.all([selected, earlier, offered].map(checkouts.session));
    expect(open).toEqual(
      new Map([
        [DOLLAR.uniqueAssetId, 1],
        [EURO.uniqueAssetId, 1],
      ]),
    );
    expect([failed, read.map((session) => session!.status)]).toEqual([1, ['failed', 'created', 'pending']]);
    expect(await checkouts.told(selected)).toEqual(['pending', 'created', 'failed']);
  });

  it('does not keep one from being paid or from expiring that only showed its address earlier', async () => {
    const [paid, unpaid] = [await checkouts.checkout(), await checkouts.checkout()];
    for (const checkout of [paid, unpaid]) await checkouts.select(checkout, OTHER_DOLLAR);
    const latest = await checkouts.select(paid, DOLLAR);
    await checkouts.select(unpaid, DOLLAR);
    checkouts.catalogue.withdrawNetwork(OTHER_NETWORK);
    await withdraw.execute(OTHER_DOLLAR.uniqueAssetId);

    checkouts.chain.mine(payAll(latest, DOLLAR));
    checkouts.chain.mineBeyond(new Date(unpaid.expiresAt.getTime() + 240_000));
    await checkouts.follow();

    const read = await Promise.all([paid, unpaid].map(checkouts.session));
    expect(read.map((session) => session!.status)).toEqual(['completed', 'expired']);
  });

  it('lets one be paid that showed another asset at the same address', async () => {
    const checkout = await checkouts.checkout();
    await checkouts.select(checkout, EURO);
    const latest = await checkouts.select(checkout, DOLLAR);
    checkouts.catalogue.withdrawn = [EURO];
    await withdraw.execute(EURO.uniqueAssetId);

    checkouts.chain.mine({ ...payAll(latest, EURO), amount: 1n }, payAll(latest, DOLLAR));
    checkouts.chain.mineEmpty(2);
    await checkouts.follow();

    const session = await checkouts.session(checkout);
    expect([session!.status, session!.selected!.uniqueAssetId]).toEqual(['completed', DOLLAR.uniqueAssetId]);
  });
});
