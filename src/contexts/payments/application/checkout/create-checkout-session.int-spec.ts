import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keysOf, verify } from '#shared/naspip/naspip-token.js';
import { DOLLAR } from '../../testing/requests/collecting-world.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
});
afterEach(() => checkouts.close());

describe('The payment token of a checkout', () => {
  it('verifies, names where a wallet asks and with what, and ends with the window', async () => {
    const created = await checkouts.checkout();

    const keys = keysOf(checkouts.tokens.publicKeys());
    const { payload, expiresAt } = verify(created.token, keys, created.createdAt);
    expect(payload).toMatchObject({
      url: `https://api.example/public/checkout/${created.sessionId}/payment`,
      paymentOptions: created.paymentOptions,
      order: { total: '10', coinCode: 'USD' },
    });
    expect(expiresAt).toEqual(created.expiresAt);
  });

  it('stays small however long the order is, which is kept whole', async () => {
    const item = {
      description: 'A thing with a rather long name, ☕'.repeat(8),
      amount: '0.20',
      coin_code: 'USD',
    };
    const order = { total: '10.00', coin_code: 'USD', items: Array.from({ length: 50 }, () => item) };

    const plain = await checkouts.checkout();
    const created = await checkouts.checkout({ order });

    expect(created.token).toHaveLength(plain.token.length);
    const items = order.items.map((item) => ({ ...item, quantity: 1 }));
    expect((await checkouts.session(created))!.order).toEqual({
      ...order,
      items,
      merchant: { name: 'Corner Coffee' },
    });
  });

  it('names the merchant of the order, as the session and its order do', async () => {
    const merchant = { name: 'Another name', tax_id: 'DE123' };

    const created = await checkouts.checkout({ order: { merchant } });

    const session = (await checkouts.session(created))!;
    const { payload } = verify(created.token, keysOf(checkouts.tokens.publicKeys()), created.createdAt);
    expect(payload.order!.merchant).toEqual({ name: 'Another name' });
    expect(session.merchant).toEqual({ name: 'Another name', taxId: 'DE123' });
    expect(session.order).toEqual({ total: '10', coin_code: 'USD', merchant });
  });
});

describe('The session of a checkout', () => {
  it('has an id that nobody guesses, and shows the merchant as it was', async () => {
    const [one, other] = [await checkouts.checkout(), await checkouts.checkout()];

    await checkouts.pointsOfSale.change(checkouts.shop, { merchant: { name: 'Another name' } });

    expect(one.sessionId).toMatch(/^0[A-Za-z0-9_-]{31}$/);
    expect(one.sessionId).not.toBe(other.sessionId);
    expect((await checkouts.session(one))!.merchant).toEqual({ name: 'Corner Coffee' });
  });

  it('returns to its own address, else to that of its point of sale, else nowhere', async () => {
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
  it('closes the previous one, chosen for or not, which then ends by the usual rule', async () => {
    const till = await checkouts.openShop({ type: 'physical' });
    const pending = await checkouts.checkout({}, till);
    const chosen = await checkouts.checkout({}, till);
    await checkouts.select(chosen, DOLLAR);
    const open = await checkouts.checkout({}, till);

    await checkouts.platform.advance(1);
    await checkouts.expireUnselected.execute();
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
