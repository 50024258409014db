import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NETWORK } from '../../testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';
import { storeOpenRequests } from '../../testing/requests/store-open-requests.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(async () => {
  await payments.close();
});

class Crash extends Error {}

/** Crashes before the first statement of a turn, then before the second, and so on, until a turn gets through. */
async function crashEverywhere(afterEachCrash: () => Promise<void>): Promise<number> {
  for (let at = 1; ; at += 1) {
    let sent = 0;
    payments.database.beforeStatement = () => {
      sent += 1;
      if (sent === at) throw new Crash();
    };
    const outcome = await payments.turn().then(
      () => null,
      (error: unknown) => error,
    );
    payments.database.beforeStatement = () => undefined;
    if (outcome === null) return at - 1;
    if (!(outcome instanceof Crash)) throw outcome;
    await afterEachCrash();
  }
}

describe('A watcher that dies between any two statements', () => {
  it('has read a block with all that follows from it, or not at all', async () => {
    const [paid, topped] = [await payments.request(), await payments.request()];
    payments.chain.mine(pay(paid, 1000), pay(topped, 100));
    payments.chain.mineEmpty(1);
    await payments.follow();
    payments.chain.mine(pay(topped, 100));
    const before = await payments.watched.cursor(NETWORK);

    const points = await crashEverywhere(async () => {
      const read = await Promise.all([paid, topped].map(payments.read));
      expect(read.map(({ status }) => status)).toEqual(['processing', 'processing']);
      expect(read.map(({ transfers }) => transfers.length)).toEqual([1, 1]);
      expect(read.map(({ transfers }) => transfers[0]!.final)).toEqual([false, false]);
      expect(await payments.watched.cursor(NETWORK)).toEqual(before);
      expect(await payments.breaches()).toEqual({});
    });

    const read = await Promise.all([paid, topped].map(payments.read));
    expect(points).toBeGreaterThan(10);
    expect(read.map(({ status }) => status)).toEqual(['completed', 'processing']);
    expect(await payments.told(paid)).toEqual(['created', 'processing', 'completed', 'ledger step']);
  });

  it('has gone back to the common block with all that follows from it, or not at all', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    await payments.follow();
    payments.chain.takeBack(1);
    payments.chain.mineEmpty(2);

    const points = await crashEverywhere(async () => {
      expect((await payments.read(request)).receivedAmount).toBe(10_000_000n);
      expect(await payments.breaches()).toEqual({});
    });

    expect(points).toBeGreaterThan(6);
    expect((await payments.read(request)).receivedAmount).toBe(0n);
  });
});

describe('The cost of a turn', () => {
  beforeEach(async () => {
    payments.chain.mineEmpty(3);
    await payments.follow();
  });

  it('does not grow with the number of open requests', async () => {
    await storeOpenRequests(payments, 10);
    const few = await turnWithAPayment();

    await storeOpenRequests(payments, 5_000);
    const many = await turnWithAPayment();

    expect(many).toEqual(few);
  });

  it('does not grow with the number of payments in a block', async () => {
    const one = await turnWithAPayment();
    const requests = await Promise.all(Array.from({ length: 20 }, () => payments.request()));

    payments.chain.mine(...requests.map((request) => pay(request, 1000)));
    const twenty = await payments.database.sentBy(() => payments.turn());

    expect(twenty.length).toBe(one.length);
  });

  it('is a handful of statements while nothing happens', async () => {
    const watcher = payments.watcher();
    await watcher.execute(NETWORK, payments.epoch);

    const idle = await payments.database.sentBy(() => watcher.execute(NETWORK, payments.epoch));

    expect(idle.length).toBeLessThanOrEqual(11);
  });

  it('ends more requests than fit into one turn in several', async () => {
    await storeOpenRequests(payments, 600);

    payments.chain.mineBeyond(new Date(payments.chain.tip.time.getTime() + 1_000_000));
    const turns = await payments.follow();

    const [row] = await payments.platform.database.query<{ count: number }>(
      `SELECT count(*) FROM payments.payment_requests WHERE status = 'expired'`,
    );
    expect([row!.count, turns]).toEqual([600, 2]);
  });

  async function turnWithAPayment(): Promise<string[]> {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1));
    return payments.database.sentBy(() => payments.turn());
  }
});
