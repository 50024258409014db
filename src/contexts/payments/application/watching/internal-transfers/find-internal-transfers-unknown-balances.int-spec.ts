import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  COIN,
  GRACE_SECONDS,
  NETWORK,
  SmallCatalogue,
} from '#contexts/payments/testing/requests/collecting-world.js';
import type { Sent } from '#contexts/payments/testing/watching/model-block.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';

const PART = 10n ** 18n;

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments(3, SmallCatalogue.withCoin());
  await payments.follow();
});
afterEach(() => payments.close());

/** A request of two coins, of which one has arrived by a plain transaction. */
async function halfPaid(): Promise<PaymentRequestView> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [COIN.uniqueAssetId] });
  const request = await payments.request({ amount: '2', uniqueAssetId: COIN.uniqueAssetId }, point);
  payments.chain.mine(part(request, 'call'));
  await payments.follow();
  return request;
}

function part({ address }: PaymentRequestView, kind: Sent['kind']): Sent {
  return { to: address, amount: PART, token: COIN.token, kind };
}

/** No node answers any balance, until it does again. */
function loseBalances(): () => void {
  payments.chain.statesKept = -1;
  return () => (payments.chain.statesKept = Infinity);
}

/** Reads until the window and the grace are final, and some blocks more. */
async function readPast({ expiresAt }: PaymentRequestView): Promise<void> {
  payments.chain.mineBeyond(new Date(expiresAt.getTime() + GRACE_SECONDS * 1_000));
  payments.chain.mineEmpty(5);
  await payments.follow();
}

async function stateOf(request: PaymentRequestView) {
  const { status, receivedAmount } = await payments.read(request);
  return [status, receivedAmount];
}

/** The second part arrives in time, unseen; balances are answered again long after the deadline. */
async function foundLate(): Promise<PaymentRequestView> {
  const request = await halfPaid();
  const tellAgain = loseBalances();
  payments.chain.mine(part(request, 'internal'));
  await readPast(request);
  expect(await stateOf(request)).toEqual(['processing', PART]);
  expect(await payments.breaches()).toEqual({});
  tellAgain();
  payments.chain.mine();
  return request;
}

describe('A part that arrived while balances were not known', () => {
  it('is waited for until the block that it was found in is final', async () => {
    const request = await foundLate();

    const states = [];
    for (let block = 1; block <= 3; block += 1) {
      await payments.follow();
      states.push(await stateOf(request));
      expect(await payments.breaches()).toEqual({});
      payments.chain.mine();
    }

    expect(states).toEqual([
      ['processing', 2n * PART],
      ['processing', 2n * PART],
      ['completed', 2n * PART],
    ]);
    const booked = (await payments.read(request)).transfers.map(({ kind, bookedAs }) => [kind, bookedAs]);
    expect(booked.sort()).toEqual([
      ['balance', 'payment_in'],
      ['call', 'payment_in'],
    ]);
  });

  it('is waited for until endpoints agree on it, though its block is final', async () => {
    const request = await foundLate();
    await payments.turn();
    const tellAgain = loseBalances();
    payments.chain.mineEmpty(5);
    await payments.follow();
    const unconfirmed = await stateOf(request);

    tellAgain();
    payments.chain.mine();
    await payments.follow();

    expect(unconfirmed).toEqual(['processing', 2n * PART]);
    expect(await stateOf(request)).toEqual(['completed', 2n * PART]);
  });

  it('is waited for no longer once no endpoint shows it any more', async () => {
    const request = await halfPaid();
    const tellAgain = loseBalances();
    await readPast(request);
    tellAgain();
    const honest = payments.chain.balances.bind(payments.chain);
    payments.chain.balances = async (...asked) => (await honest(...asked)).map((told) => told + PART);
    payments.chain.mine();
    await payments.turn();
    const told = await stateOf(request);

    payments.chain.balances = honest;
    await payments.follow();

    expect(told).toEqual(['processing', 2n * PART]);
    expect(await stateOf(request)).toEqual(['underpaid', PART]);
  });
});

describe('What is known of balances, once blocks were taken back', () => {
  it('is no more than the last block in common tells: what arrives on the other fork is waited for', async () => {
    const request = await halfPaid();
    payments.chain.mineEmpty(9);
    await payments.follow();
    payments.chain.takeBack(2);
    const tellAgain = loseBalances();
    payments.chain.mine(part(request, 'internal'));
    payments.chain.mineEmpty(4);
    await payments.follow();
    const waiting = await stateOf(request);

    tellAgain();
    payments.chain.mineEmpty(4);
    await payments.follow();

    expect(waiting).toEqual(['processing', PART]);
    expect(await stateOf(request)).toEqual(['completed', 2n * PART]);
  });

  it('is what it was where that is less', async () => {
    await halfPaid();
    const known = (await payments.watched.cursor(NETWORK))!.balancesKnownAt;
    loseBalances();
    payments.chain.mineEmpty(4);
    await payments.follow();

    payments.chain.takeBack(1);
    payments.chain.mine();
    await payments.turn();

    expect((await payments.watched.cursor(NETWORK))!.balancesKnownAt).toEqual(known);
  });
});

describe('A network of which no balances are asked for', () => {
  it('is known as far as it was read, also once blocks were taken back', async () => {
    await payments.close();
    payments = await openPayments();
    await payments.follow();
    payments.chain.mineEmpty(3);
    await payments.follow();

    payments.chain.takeBack(1);
    payments.chain.mine();
    await payments.turn();

    const cursor = (await payments.watched.cursor(NETWORK))!;
    expect([cursor.head.number, cursor.balancesKnownAt]).toEqual([2, null]);
    expect((await payments.watched.progress([NETWORK])).get(NETWORK)!.headTime).toEqual(cursor.head.time);
  });
});
