import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { COIN, NETWORK, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import type { Sent } from '#contexts/payments/testing/watching/model-block.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';

const COINS = 10n ** 18n;
const REQUESTS = 4;
/** Two turns for a round. */
const AT_ONCE = 2;

let payments: Payments;
let open: PaymentRequestView[];
beforeEach(async () => {
  payments = await openPayments(3, SmallCatalogue.withCoin());
  await payments.follow();
  const point = await payments.pointsOfSale.open({ paymentOptions: [COIN.uniqueAssetId] });
  open = [];
  for (let n = 0; n < REQUESTS; n += 1)
    open.push(await payments.request({ amount: '2', uniqueAssetId: COIN.uniqueAssetId }, point));
  open.sort((a, b) => (a.id < b.id ? -1 : 1));
});
// Also checks every invariant on what the test has left.
afterEach(() => payments.close());

const coins = ({ address }: PaymentRequestView): Sent => ({
  to: address,
  amount: 2n * COINS,
  token: COIN.token,
  kind: 'internal',
});

/** A turn for each of so many new blocks. */
async function turns(count: number): Promise<void> {
  const watcher = payments.limitedWatcher({ balances: AT_ONCE });
  for (let block = 0; block < count; block += 1) {
    payments.chain.mineEmpty(1);
    await watcher.execute(NETWORK, payments.epoch);
  }
}

const cursor = async () => (await payments.watched.cursor(NETWORK))!;

describe('Open requests that one turn does not compare', () => {
  it('are compared by the next ones, which are then known up to the first of these turns', async () => {
    await turns(1);
    const first = await cursor();
    await turns(1);
    const second = await cursor();
    await turns(1);
    const third = await cursor();

    expect(first.balanceRound).toEqual({ to: open[AT_ONCE - 1]!.id, beganAt: first.head.time });
    expect(second.balanceRound).toEqual({ to: open.at(-1)!.id, beganAt: first.head.time });
    // A turn that finds nobody behind the last one ends the round.
    expect([third.balanceRound, third.balancesKnownAt]).toEqual([null, first.head.time]);
  });

  it('are paid in time by what arrived before their deadline, and was found after it', async () => {
    const last = open.at(-1)!;
    await turns(4);
    payments.chain.mine(coins(last));
    payments.chain.mineBeyond(new Date(last.expiresAt.getTime() + 3_600_000));
    await turns(8);

    expect(await payments.read(last)).toMatchObject({ status: 'completed', receivedAmount: 2n * COINS });
    expect((await payments.read(open[0]!)).status).toBe('expired');
  });

  it('are watched no longer once they have ended, and the round begins again after a reorganisation', async () => {
    await turns(1);
    payments.chain.takeBack(1);
    payments.chain.mineEmpty(1);
    await payments.limitedWatcher({ balances: AT_ONCE }).execute(NETWORK, payments.epoch);
    expect((await cursor()).balanceRound).toBeNull();

    payments.chain.mineBeyond(new Date(open.at(-1)!.expiresAt.getTime() + 3_600_000));
    await turns(8);
    expect(await payments.database.query('SELECT * FROM payments.balance_watch')).toEqual([]);
  });
});
