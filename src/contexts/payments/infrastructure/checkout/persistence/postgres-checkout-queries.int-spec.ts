import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { missingAmount } from '../../requests/http/checkout-presenter.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { newSessionId } from '#contexts/payments/application/checkout/checkout-session.js';
import {
  DOLLAR,
  ETHER,
  EURO,
  NETWORK,
  OTHER_NETWORK,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { openCheckouts, payAll, type Checkouts } from '#contexts/payments/testing/checkout/open-checkouts.js';
import { pay } from '#contexts/payments/testing/requests/open-payments.js';

const DAY = 24 * 3600;

let checkouts: Checkouts;
let brokenOnPurpose: readonly string[];
beforeEach(async () => {
  brokenOnPurpose = [];
  checkouts = await openCheckouts();
});
afterEach(async () => {
  await checkouts.close(brokenOnPurpose);
});

describe('A checkout session', () => {
  it.each([
    ['unknown', newSessionId(new DeploymentCell())],
    ['with NUL', `${'A'.repeat(16)}\0${'A'.repeat(15)}`],
    ['of 10 kB', 'A'.repeat(10_000)],
  ])('is not found by the id of no session, with the same single statement: an id %s', async (_what, id) => {
    const checkout = await checkouts.checkout();
    const known = await checkouts.database.sentBy(() => checkouts.session(checkout));
    let found: unknown = 'not asked';

    const statements = await checkouts.database.sentBy(async () => {
      found = await checkouts.session({ sessionId: id });
    });

    expect([found, statements.length]).toEqual([undefined, 1]);
    expect(statements).toEqual(known);
  });

  it('is found for one day after its end, by the same statement', async () => {
    const [pending, paid] = [await checkouts.checkout(), await checkouts.checkout()];
    checkouts.chain.mine(payAll(await checkouts.select(paid, DOLLAR), DOLLAR));
    checkouts.chain.mineEmpty(2);
    await checkouts.follow();
    await checkouts.platform.advance(481);
    await checkouts.expireUnselected.expire();
    // This test posts nothing to the ledger, which the invariant reports after the clock is advanced.
    brokenOnPurpose = ['ledger-confirmed-posted-once'];
    const statusesAfter = async (seconds: number) => {
      await checkouts.platform.advance(seconds);
      return Promise.all(
        [pending, paid].map(async (checkout) => (await checkouts.session(checkout))?.status),
      );
    };

    const soon = await statusesAfter(DAY - 60);
    const late = await statusesAfter(180);
    const statements = await checkouts.database.sentBy(() => checkouts.session(paid));

    expect(soon).toEqual(['expired', 'completed']);
    expect(late).toEqual([undefined, undefined]);
    expect(statements).toHaveLength(1);
    expect((await checkouts.read(paid)).checkout).toMatchObject({ status: 'completed' });
  });

  it('shows the received amount, confirmations and the original price', async () => {
    const checkout = await checkouts.checkout({ order: { total: '10.00', coin_code: 'USD' } });
    const { selected } = await checkouts.select(checkout, ETHER);
    const part = { to: selected!.address, amount: ETHER.minimumAmount, token: ETHER.token };
    checkouts.chain.mine(part);
    checkouts.chain.mine({ ...part, token: DOLLAR.token }, part);
    await checkouts.follow();

    const session = await checkouts.session(checkout);

    expect(session).toMatchObject({
      status: 'processing',
      order: { total: '10.00', coin_code: 'USD' },
      selected: {
        receivedAmount: 2n * ETHER.minimumAmount,
        headNumber: 2,
        transfers: [{ blockNumber: 2 }],
        rate: { price: '2512.31', sources: ['kraken'], at: checkouts.rates.at },
      },
    });
    expect(await checkouts.queries.newestReadBlocks()).toEqual(
      new Map([
        [NETWORK, 2],
        [OTHER_NETWORK, 0],
      ]),
    );
  });

  it('shows no sum below the minimum but counts it with a payment', async () => {
    const checkout = await checkouts.checkout();
    const { selected } = await checkouts.select(checkout, DOLLAR);
    const dust = { to: selected!.address, amount: 1n, token: DOLLAR.token };
    checkouts.chain.mine(dust);
    await checkouts.follow();
    const dusty = (await checkouts.session(checkout))!;
    checkouts.chain.mine(pay(selected!, 1));
    const paid = checkouts.chain.tip.number;
    checkouts.chain.mine(dust);
    await checkouts.follow();

    const { status, selected: shown } = (await checkouts.session(checkout))!;

    expect([dusty.status, dusty.selected!.receivedAmount, dusty.selected!.transfers]).toEqual([
      'created',
      0n,
      [],
    ]);
    expect([status, shown!.receivedAmount]).toEqual(['processing', 10_002n]);
    expect(shown!.transfers).toMatchObject([{ blockNumber: paid }]);
  });

  it('shows transfers in another asset, also in answers to polls', async () => {
    const checkout = await checkouts.checkout();
    const { selected } = await checkouts.select(checkout, DOLLAR);
    checkouts.chain.mine(pay(selected!, 100, EURO.token), { ...pay(selected!, 0, EURO.token), amount: 1n });
    await checkouts.follow();

    const { otherAssets, status } = (await checkouts.session(checkout))!;
    const told = await checkouts.platform.database.query(
      `SELECT data FROM platform.events WHERE aggregate_id = $1 AND type = 'payment_request.received_changed'`,
      [checkout.id],
    );

    expect(status).toBe('created');
    expect(otherAssets).toEqual([
      expect.objectContaining({ uniqueAssetId: EURO.uniqueAssetId, amount: 1_000_000n, network: NETWORK }),
    ]);
    expect(told).toEqual([{ data: { receivedAmount: '0' } }]);
  });

  it('shows what arrived after the outcome apart from the payment', async () => {
    const checkout = await checkouts.checkout();
    const { selected } = await checkouts.select(checkout, DOLLAR);
    for (const transfer of [pay(selected!, 1_000), pay(selected!, 300)]) {
      checkouts.chain.mine(transfer);
      checkouts.chain.mineEmpty(20);
      await checkouts.follow();
    }

    const { status, selected: shown, lateTransfers } = (await checkouts.session(checkout))!;

    expect([status, shown!.receivedAmount]).toEqual(['completed', 10_000_000n]);
    expect(lateTransfers).toMatchObject([{ uniqueAssetId: DOLLAR.uniqueAssetId, amount: 3_000_000n }]);
  });

  it('keeps every digit of an asset with 18 decimals, equally for payer and merchant', async () => {
    const checkout = await checkouts.checkout({ amount: '39.312596773487348297', coinCode: 'WETH' });
    const { selected } = await checkouts.select(checkout, ETHER);
    const part = { to: selected!.address, amount: 12_345_678_901_234_567_891n, token: ETHER.token };
    checkouts.chain.mine(part);
    await checkouts.follow();

    const [payers, merchants] = [
      await checkouts.session(checkout),
      (await checkouts.read(checkout)).checkout,
    ];

    for (const view of [payers!, merchants!]) {
      expect([view.amount, view.selected!.amount, view.selected!.receivedAmount]).toEqual([
        '39.312596773487348297',
        39_312_596_773_487_348_297n,
        12_345_678_901_234_567_891n,
      ]);
      expect(missingAmount(view.selected!)).toBe(26_966_917_872_252_780_406n);
    }
    expect(merchants).toEqual(payers);
  });
});
