import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EURO } from '../../testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(async () => {
  await payments.close();
});

describe('Following a network', () => {
  it('sees a payment in the block it stands in, and completes the request when that block is final', async () => {
    const request = await payments.request();

    payments.chain.mine(pay(request, 1000));
    await payments.follow();
    const seen = await payments.read(request);
    payments.chain.mineEmpty(1);
    await payments.follow();
    const waiting = await payments.read(request);
    payments.chain.mineEmpty(1);
    await payments.follow();
    const done = await payments.read(request);

    expect([seen.status, seen.receivedAmount, seen.transfers[0]!.confirmations]).toEqual([
      'processing',
      10_000_000n,
      1,
    ]);
    expect([waiting.status, waiting.transfers[0]!.final]).toEqual(['processing', false]);
    expect([done.status, done.receivedAmount, done.transfers[0]!.final]).toEqual([
      'completed',
      10_000_000n,
      true,
    ]);
    expect(done.history.map(({ status }) => status)).toEqual([
      'created',
      'processing',
      'completed',
      'confirmed',
    ]);
    expect(done.confirmedAt).toEqual(done.history.at(-1)!.at);
    expect(await payments.told(request)).toEqual(['created', 'processing', 'completed', 'ledger step']);
  });

  it('adds up what a payer sends in several transfers', async () => {
    const request = await payments.request();

    payments.chain.mine(pay(request, 300));
    payments.chain.mine();
    payments.chain.mine(pay(request, 700));
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('completed');
  });

  it('counts each of several transfers in one transaction once', async () => {
    const request = await payments.request();
    const part = { ...pay(request, 250), transaction: 'one for all' };

    payments.chain.mine(part, part, part, part);
    payments.chain.mineEmpty(2);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.receivedAmount, read.transfers.length]).toEqual(['completed', 10_000_000n, 4]);
  });

  it('tells the payments of one block to different requests apart', async () => {
    const [one, other, unpaid] = [
      await payments.request(),
      await payments.request(),
      await payments.request(),
    ];

    payments.chain.mine(pay(one, 1000), pay(other, 1001));
    payments.chain.mineEmpty(2);
    await payments.follow();

    const read = await Promise.all([one, other, unpaid].map(payments.read));
    expect(read.map(({ status }) => status)).toEqual(['completed', 'overpaid', 'created']);
  });

  it('records but does not count another asset, a transfer after the deadline and one after the outcome', async () => {
    const [wrong, late, paid] = [
      await payments.request(),
      await payments.request(),
      await payments.request(),
    ];

    payments.chain.mine(pay(wrong, 1000, EURO.token), pay(paid, 1000));
    payments.chain.mineEmpty(2);
    payments.chain.mine(pay(paid, 5));
    payments.chain.mineBeyond(new Date(late.expiresAt.getTime() + 60_000));
    payments.chain.mine(pay(late, 1000));
    payments.chain.mineEmpty(3);
    await payments.follow();

    const read = await Promise.all([wrong, late, paid].map(payments.read));
    expect(read.map(({ status }) => status)).toEqual(['expired', 'expired', 'completed']);
    expect(read.map(({ transfers }) => transfers.map(({ counted }) => counted))).toEqual([
      [false],
      [false],
      [true, false],
    ]);
    expect(read.map(({ receivedAmount }) => receivedAmount)).toEqual([0n, 0n, 10_000_000n]);
  });

  it('passes over transfers of nothing, and over tokens that are not in the catalogue', async () => {
    const request = await payments.request();

    payments.chain.mine(pay(request, 0), pay(request, 1000, `0x${'66'.repeat(20)}`));
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.transfers]).toEqual(['created', []]);
  });

  it('ends a request with too little as underpaid once the final block is past the deadline, not before', async () => {
    const request = await payments.request();

    payments.chain.mine(pay(request, 999));
    payments.chain.mineBeyond(new Date(request.expiresAt.getTime() + 60_000));
    await payments.follow();
    const before = await payments.read(request);
    payments.chain.mineEmpty(2);
    await payments.follow();
    const after = await payments.read(request);

    expect([before.status, after.status, after.receivedAmount]).toEqual([
      'processing',
      'underpaid',
      9_990_000n,
    ]);
    expect(await payments.told(request)).toEqual(['created', 'processing', 'underpaid', 'ledger step']);
  });

  it('waits for the reading, not for the clock, before it lets a request expire', async () => {
    const request = await payments.request();

    await payments.platform.advance(24 * 3600);
    await payments.follow();
    const before = await payments.read(request);
    payments.chain.mineBeyond(new Date(request.expiresAt.getTime() + 60_000));
    await payments.follow();

    expect(before.status).toBe('created');
    expect((await payments.read(request)).status).toBe('expired');
    expect(await payments.told(request)).toEqual(['created', 'expired']);
  });

  it('still finds a payment made in time when the node lagged until long after the deadline', async () => {
    const request = await payments.request();
    payments.chain.mine();
    await payments.follow();

    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(100);
    payments.chain.lag(102);
    await payments.platform.advance(3 * 3600);
    await payments.follow();
    const lagging = await payments.read(request);
    payments.chain.lag(0);
    await payments.follow();

    expect(lagging.status).toBe('created');
    expect((await payments.read(request)).status).toBe('completed');
  });

  it('never lets go of finality because a node lags behind', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(2);
    await payments.follow();

    payments.chain.lag(3);
    await payments.follow();

    expect((await payments.read(request)).transfers[0]!.final).toBe(true);
  });

  it('catches up over several hundred blocks and decides as if it had been there all the time', async () => {
    const [exact, late, split] = [
      await payments.request(),
      await payments.request(),
      await payments.request(),
    ];

    payments.chain.mine(pay(exact, 1000), pay(split, 400));
    payments.chain.mine(pay(exact, 1), pay(split, 600));
    payments.chain.mineEmpty(300);
    payments.chain.mine(pay(late, 1000));
    payments.chain.mineEmpty(100);
    const turns = await payments.follow();

    const read = await Promise.all([exact, late, split].map(payments.read));
    expect(read.map(({ status }) => status)).toEqual(['completed', 'expired', 'completed']);
    expect(turns).toBeGreaterThan(5);
    expect((await payments.watched.cursor('sandbox'))!.head.number).toBe(payments.chain.tip.number);
  });
});

describe('Following a network that has no finality yet', () => {
  it('takes nothing for final, and can still go back', async () => {
    await payments.close();
    payments = await openPayments(null);
    await payments.follow();
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(5);
    await payments.follow();
    const paid = await payments.read(request);

    payments.chain.takeBack(6);
    payments.chain.mineEmpty(6);
    await payments.follow();

    expect([paid.status, paid.transfers[0]!.final]).toEqual(['processing', false]);
    expect((await payments.read(request)).receivedAmount).toBe(0n);
  });
});
