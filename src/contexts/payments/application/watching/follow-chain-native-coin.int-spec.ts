import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UNKNOWN_SENDER } from '#contexts/networks/contract/chain-reader.js';
import type { PaymentRequestView } from '../requests/payment-request-view.js';
import { COIN, DOLLAR, SmallCatalogue } from '../../testing/requests/collecting-world.js';
import type { Sent } from '../../testing/watching/model-block.js';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';

const COINS = 10n ** 18n;

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments(3, SmallCatalogue.withCoin());
  await payments.follow();
});
afterEach(() => payments.close());

/** A request of two coins. */
async function request(): Promise<PaymentRequestView> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [COIN.uniqueAssetId] });
  return payments.request({ amount: '2', uniqueAssetId: COIN.uniqueAssetId }, point);
}

function coins(
  { address }: Pick<PaymentRequestView, 'address'>,
  kind: Sent['kind'],
  amount = 2n * COINS,
): Sent {
  return { to: address, amount, token: COIN.token, kind };
}

describe('Paying in the native coin', () => {
  it('by a plain transaction counts the value that it moved', async () => {
    const paid = await request();

    payments.chain.mine(coins(paid, 'call'));
    payments.chain.mineEmpty(3);
    await payments.follow();

    const read = await payments.read(paid);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 2n * COINS]);
    expect(read.transfers).toMatchObject([{ kind: 'call', transactionHash: expect.stringMatching(/^0x/) }]);
  });

  it('by a transaction that was reverted counts nothing', async () => {
    const unpaid = await request();

    payments.chain.mine({ ...coins(unpaid, 'call'), reverted: true });
    payments.chain.mineEmpty(3);
    await payments.follow();

    const read = await payments.read(unpaid);
    expect([read.status, read.transfers]).toEqual(['created', []]);
  });

  it('inside a contract call is found by the balance, in the block that it arrived in', async () => {
    const paid = await request();

    payments.chain.mineEmpty(2);
    const block = payments.chain.mine(coins(paid, 'internal'));
    payments.chain.mineEmpty(6);
    await payments.follow();

    const read = await payments.read(paid);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 2n * COINS]);
    expect(read.transfers).toMatchObject([
      { kind: 'balance', blockNumber: block.number, from: UNKNOWN_SENDER, final: true },
    ]);
    expect(read.transfers[0]!.transactionHash).toBeUndefined();
  });

  it('both ways at once, in parts, counts each part once', async () => {
    const paid = await request();

    payments.chain.mine(coins(paid, 'internal', COINS / 2n), coins(paid, 'call', COINS));
    payments.chain.mine(coins(paid, 'internal', COINS / 2n));
    payments.chain.mineEmpty(3);
    await payments.follow();

    const read = await payments.read(paid);
    expect([read.status, read.receivedAmount, read.transfers.length]).toEqual(['completed', 2n * COINS, 3]);
  });

  it('is counted once by turns that read one block each', async () => {
    const paid = await request();

    for (const sent of [coins(paid, 'internal', COINS), coins(paid, 'call', COINS)]) {
      payments.chain.mine(sent);
      await payments.follow();
    }
    payments.chain.mineEmpty(3);
    await payments.follow();

    expect((await payments.read(paid)).receivedAmount).toBe(2n * COINS);
  });

  it('is seen though the address has paid out what arrived before', async () => {
    const paid = await request();
    payments.chain.mine(coins(paid, 'internal', COINS));
    await payments.follow();

    payments.chain.mine(coins(paid, 'payout', COINS));
    await payments.follow();
    payments.chain.mine(coins(paid, 'internal', COINS));
    payments.chain.mineEmpty(3);
    await payments.follow();

    expect((await payments.read(paid)).status).toBe('completed');
    expect(payments.alerts.noted).toEqual([]);
  });

  it('just in time counts, however late the watcher comes to read it', async () => {
    const paid = await request();

    payments.chain.mineAt(paid.expiresAt, coins(paid, 'internal'));
    payments.chain.mineBeyond(new Date(paid.expiresAt.getTime() + 900_000));
    await payments.follow();

    expect((await payments.read(paid)).status).toBe('completed');
  });

  it('is lost with its block, and found again in another', async () => {
    const paid = await request();
    payments.chain.mine(coins(paid, 'internal'));
    await payments.follow();

    payments.chain.takeBack(1);
    payments.chain.mine();
    payments.chain.mine(coins(paid, 'internal'));
    payments.chain.mineEmpty(3);
    await payments.follow();

    const read = await payments.read(paid);
    expect([read.status, read.transfers.length]).toEqual(['completed', 1]);
  });

  it('is dated by the next block whose state is known', async () => {
    const paid = await request();
    payments.chain.statesKept = 2;

    payments.chain.mine(coins(paid, 'internal'));
    payments.chain.mineEmpty(5);
    await payments.follow();
    payments.chain.mineEmpty(3);
    await payments.follow();

    const read = await payments.read(paid);
    expect([read.status, read.transfers[0]!.kind]).toEqual(['completed', 'balance']);
  });

  it('waits, and says so, while no state is known', async () => {
    const paid = await request();
    payments.chain.statesKept = -1;

    payments.chain.mine(coins(paid, 'internal'));
    await payments.follow();
    const unknown = [...payments.alerts.noted];
    payments.chain.statesKept = Infinity;
    payments.chain.mine();
    await payments.follow();

    expect(unknown).toContain('balances unknown');
    expect((await payments.read(paid)).receivedAmount).toBe(2n * COINS);
  });
});

describe('Native coin at the address of an ended request', () => {
  it('is found by the daily round, whatever the request was in, and becomes a deposit', async () => {
    const ended = await payments.request();
    payments.chain.mineBeyond(new Date(ended.expiresAt.getTime() + 120_000));
    await payments.follow();
    payments.chain.mine(coins(ended, 'internal'));
    payments.chain.mineEmpty(3);
    await payments.follow();
    const before = await payments.read(ended);

    await payments.platform.advance(86_400);
    payments.chain.mine();
    await payments.follow();
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect([before.status, before.transfers]).toEqual(['expired', []]);
    expect((await payments.read(ended)).transfers).toMatchObject([
      { kind: 'balance', uniqueAssetId: COIN.uniqueAssetId, bookedAs: 'deposit', amount: 2n * COINS },
    ]);
  });

  it('costs one question a day and address, not one with each block', async () => {
    const ended = await payments.request();
    payments.chain.mineBeyond(new Date(ended.expiresAt.getTime() + 120_000));
    await payments.follow();
    let asked = 0;
    payments.chain.beforeAnswer = (question) => {
      if (question === 'balances') asked += 1;
    };

    for (let block = 1; block <= 5; block += 1) {
      payments.chain.mine();
      await payments.follow();
    }
    const withinTheDay = asked;
    await payments.platform.advance(86_400);
    payments.chain.mine();
    await payments.follow();

    expect([withinTheDay, asked]).toEqual([0, 1]);
  });

  it('that a token request was sent by a plain transaction is not taken for what was asked', async () => {
    const asked = await payments.request();

    payments.chain.mine(coins(asked, 'call'), pay(asked, 1000, DOLLAR.token));
    payments.chain.mineEmpty(3);
    await payments.follow();

    const read = await payments.read(asked);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 10_000_000n]);
    expect(read.transfers).toMatchObject([
      { uniqueAssetId: COIN.uniqueAssetId, bookedAs: 'deposit' },
      { uniqueAssetId: DOLLAR.uniqueAssetId, bookedAs: 'payment_in' },
    ]);
  });
});
