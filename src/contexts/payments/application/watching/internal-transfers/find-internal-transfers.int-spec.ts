import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { COIN, NETWORK, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import type { Sent } from '#contexts/payments/testing/watching/model-block.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';

const PART = 10n ** 18n;

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments(3, SmallCatalogue.withCoin());
  await payments.follow();
});
// Also checks every invariant on what the test has left.
afterEach(() => payments.close());

async function request(amount = '2'): Promise<PaymentRequestView> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [COIN.uniqueAssetId] });
  return payments.request({ amount, uniqueAssetId: COIN.uniqueAssetId }, point);
}

function part({ address }: Pick<PaymentRequestView, 'address'>, kind: Sent['kind']): Sent {
  return { to: address, amount: PART, token: COIN.token, kind };
}

/** One block with a part in a plain transaction, which is skipped, and so taken for an internal transfer like the other part. */
async function mistaken(moreBlocks = 0, amount = '2'): Promise<PaymentRequestView> {
  const paid = await request(amount);
  payments.chain.skips = () => true;
  payments.chain.mine(part(paid, 'call'), part(paid, 'internal'));
  payments.chain.mineEmpty(moreBlocks);
  await payments.turn();
  payments.chain.skips = () => false;
  expect((await payments.read(paid)).transfers).toMatchObject([{ kind: 'balance', amount: 2n * PART }]);
  return paid;
}

/** The next block comes long after the window has closed, then some more. */
function mineLate({ expiresAt }: PaymentRequestView, ...sent: readonly Sent[]): void {
  payments.chain.mineAt(new Date(expiresAt.getTime() + 600_000), ...sent);
  payments.chain.mineEmpty(6);
}

async function partsOf(paid: PaymentRequestView) {
  const { status, receivedAmount, transfers } = await payments.read(paid);
  return { status, receivedAmount, parts: transfers.map(({ kind, bookedAs }) => [kind, bookedAs]).sort() };
}

const IN_TIME = {
  status: 'completed',
  receivedAmount: 2n * PART,
  parts: [
    ['balance', 'payment_in'],
    ['call', 'payment_in'],
  ],
};

describe('An internal transfer in time that is dropped with what was mistaken for it, and found again after the deadline', () => {
  it('is dated by the transfer dropped, where blocks are read in the same turn', async () => {
    const paid = await mistaken();

    mineLate(paid);
    await payments.follow();

    expect(await partsOf(paid)).toEqual(IN_TIME);
  });

  it('is dated by it in a later turn too, where the one that took it back has read no block', async () => {
    const paid = await mistaken(3);
    await payments.turn();
    const taken = await partsOf(paid);

    mineLate(paid);
    await payments.follow();

    expect([taken.receivedAmount, taken.parts.length]).toEqual([PART, 1]);
    expect(await partsOf(paid)).toEqual(IN_TIME);
  });

  it('is waited for, and dated by it, where no balances are known in that turn', async () => {
    const paid = await mistaken();
    payments.chain.mineAt(new Date(paid.expiresAt.getTime() + 600_000));
    await payments.turn();
    payments.chain.statesKept = -1;
    payments.chain.mineEmpty(6);
    await payments.follow();
    const waiting = await partsOf(paid);

    payments.chain.statesKept = Infinity;
    payments.chain.mineEmpty(4);
    await payments.follow();

    expect([waiting.status, waiting.receivedAmount]).toEqual(['processing', PART]);
    expect(await partsOf(paid)).toEqual(IN_TIME);
  });

  it('makes nothing in time that arrives in a later block', async () => {
    const paid = await mistaken(0, '3');

    payments.chain.mineEmpty(1);
    mineLate(paid, part(paid, 'internal'));
    await payments.follow();

    expect(await partsOf(paid)).toEqual({
      status: 'underpaid',
      receivedAmount: 2n * PART,
      parts: [['balance', 'deposit'], ...IN_TIME.parts],
    });
  });
});

describe('An internal transfer in time that no balance shows as large as it was recorded', () => {
  it('is found again as large as it is, in time, though the next block comes after the deadline', async () => {
    const paid = await request();
    const honest = payments.chain.balances.bind(payments.chain);
    payments.chain.balances = async (...asked) => (await honest(...asked)).map((told) => told + PART);
    payments.chain.mine(part(paid, 'internal'), part(paid, 'internal'));
    await payments.turn();
    const told = await partsOf(paid);

    payments.chain.balances = honest;
    mineLate(paid);
    await payments.follow();
    payments.chain.mineEmpty(4);
    await payments.follow();

    expect(told.receivedAmount).toBe(3n * PART);
    expect(await partsOf(paid)).toEqual({
      status: 'completed',
      receivedAmount: 2n * PART,
      parts: [['balance', 'payment_in']],
    });
    const { balancesKnownAt, head } = (await payments.watched.cursor(NETWORK))!;
    expect(balancesKnownAt).toEqual(head.time);
  });
});
