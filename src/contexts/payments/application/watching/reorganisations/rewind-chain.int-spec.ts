import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

const DEEPEST = 20;

let payments: Payments;
let brokenOnPurpose: string[];
beforeEach(async () => {
  brokenOnPurpose = [];
  payments = await openPayments(DEEPEST + 1);
  await payments.follow();
});
afterEach(async () => {
  await payments.close(brokenOnPurpose);
});

describe('A reorganisation before finality', () => {
  it('un-counts silently, and counts again what is included again, at every depth from 1 to 20', async () => {
    payments.chain.blockSeconds = 1;
    for (let depth = 1; depth <= DEEPEST; depth += 1) {
      const request = await payments.request();
      payments.chain.mine(pay(request, 1000));
      payments.chain.mineEmpty(depth - 1);
      await payments.follow();

      payments.chain.takeBack(depth);
      payments.chain.mineEmpty(depth);
      await payments.follow();
      const without = await payments.read(request);
      payments.chain.mine(pay(request, 1000));
      await payments.follow();
      const again = await payments.read(request);

      expect({
        depth,
        status: without.status,
        received: without.receivedAmount,
        transfers: without.transfers,
      }).toEqual({
        depth,
        status: 'processing',
        received: 0n,
        transfers: [],
      });
      expect([again.status, again.receivedAmount, again.transfers.length]).toEqual([
        'processing',
        10_000_000n,
        1,
      ]);
      expect(await payments.told(request)).toEqual(['created', 'processing']);
    }
  });

  it('counts the same transaction once when it is included again in another block, at another log index', async () => {
    const request = await payments.request();
    const sent = { ...pay(request, 1000), transaction: 'the payment' };
    payments.chain.mine(sent);
    await payments.follow();

    payments.chain.takeBack(1);
    payments.chain.mine(pay(request, 5, `0x${'66'.repeat(20)}`), sent);
    payments.chain.mineEmpty(DEEPEST);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.receivedAmount, read.transfers.length]).toEqual(['completed', 10_000_000n, 1]);
  });

  it('counts it once also at the same log index in a block of the same height', async () => {
    const request = await payments.request();
    const sent = { ...pay(request, 1000), transaction: 'the payment' };
    payments.chain.mine(sent);
    await payments.follow();

    payments.chain.takeBack(1);
    payments.chain.mine(sent);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.receivedAmount, read.transfers.length]).toEqual([10_000_000n, 1]);
    expect(payments.alerts.noted).toEqual(['reorganised 1']);
  });

  it('takes a payment that was replaced for good as never made', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    await payments.follow();

    payments.chain.takeBack(1);
    payments.chain.mineBeyond(new Date(request.expiresAt.getTime() + 60_000));
    payments.chain.mineEmpty(DEEPEST);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('expired');
    expect(await payments.told(request)).toEqual(['created', 'processing', 'expired']);
  });

  it('is noticed when the chain lost its last seconds and is shorter than what was read', async () => {
    const request = await payments.request();
    payments.chain.mineEmpty(3);
    payments.chain.mine(pay(request, 1000));
    await payments.follow();

    payments.chain.takeBack(3);
    await payments.follow();
    const shorter = await payments.read(request);
    payments.chain.mine();
    await payments.follow();

    expect(shorter.receivedAmount).toBe(10_000_000n);
    expect((await payments.read(request)).receivedAmount).toBe(0n);
    expect((await payments.watched.cursor(NETWORK))!.head.hash).toBe(payments.chain.tip.hash);
  });

  it('in the middle of a reading leaves nothing of the older fork', async () => {
    const request = await payments.request();
    payments.chain.mineEmpty(3);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mine();
    let forked = false;
    payments.chain.beforeAnswer = (question) => {
      if (question !== 'contents' || forked) return;
      forked = true;
      payments.chain.takeBack(3);
      payments.chain.mineEmpty(4);
    };

    await expect(payments.turn()).rejects.toThrow('is unavailable');
    await payments.follow();

    expect((await payments.read(request)).transfers).toEqual([]);
    expect((await payments.watched.cursor(NETWORK))!.head.hash).toBe(payments.chain.tip.hash);
  });

  it('between the answers about two blocks leaves nothing of the older fork either', async () => {
    const request = await payments.request();
    payments.chain.mineEmpty(2);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(2);
    payments.chain.beforeAnswer = (question, about) => {
      if (question !== 'block' || about !== 3) return;
      payments.chain.beforeAnswer = () => undefined;
      payments.chain.takeBack(4);
      payments.chain.mineEmpty(6);
    };

    await expect(payments.turn()).rejects.toThrow('is unavailable');
    await payments.follow();

    expect((await payments.read(request)).transfers).toEqual([]);
    expect((await payments.watched.cursor(NETWORK))!.head.hash).toBe(payments.chain.tip.hash);
  });

  it('never lets a far head on another fork make final what was read on ours', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    await payments.follow();

    payments.chain.takeBack(1);
    payments.chain.mineEmpty(60);
    payments.chain.hide(2);
    await payments.follow();
    const fooled = await payments.read(request);
    payments.chain.reveal();
    await payments.follow();

    expect([fooled.status, fooled.transfers[0]!.final]).toEqual(['processing', false]);
    expect((await payments.read(request)).status).toBe('expired');
  });

  it('takes nothing back when the endpoints behind one address disagree about the head', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    await payments.follow();
    const other = { ...payments.chain.tip, hash: `0x${'e'.repeat(64)}` };
    payments.chain.nextHead = other;

    const more = await payments.turn();

    expect([more, payments.alerts.noted]).toEqual([false, []]);
    expect((await payments.read(request)).status).toBe('processing');
  });
});

describe('A reorganisation beyond finality', () => {
  it('leaves the outcome, which cannot be undone, reverses what was posted, and alerts', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(DEEPEST);
    await payments.follow();

    payments.chain.takeBack(DEEPEST + 1);
    payments.chain.mineEmpty(DEEPEST + 2);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 10_000_000n]);
    expect(read.transfers).toMatchObject([{ counted: false, reversedAt: expect.any(Date) }]);
    expect(
      await payments.database.query(
        `SELECT data ->> 'before' AS before, data ->> 'after' AS after FROM platform.events
         WHERE aggregate_id = $1 AND type = 'payment_request.credit_reversed'`,
        [request.id],
      ),
    ).toEqual([{ before: '10000000', after: '0' }]);
    expect(await payments.database.query('SELECT address FROM payments.public_settlement_holds')).toEqual([
      { address: request.address.toLowerCase() },
    ]);
    expect(payments.alerts.noted).toContain(`credited transfer of ${request.id} disappeared`);
    expect(await payments.told(request)).toEqual(['created', 'processing', 'completed', 'ledger step']);
  });

  it('alerts once it is stored, and not of what was undone', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(DEEPEST);
    await payments.follow();
    payments.chain.takeBack(DEEPEST + 1);
    payments.chain.mineEmpty(DEEPEST + 2);

    payments.database.beforeStatement = (_, text) => {
      if (text.includes('UPDATE payments.payment_requests')) throw new Error('away');
    };
    await expect(payments.turn()).rejects.toThrow('away');
    const undone = [...payments.alerts.noted];
    payments.database.beforeStatement = () => undefined;
    await payments.follow();

    expect(undone).toEqual([]);
    expect(payments.alerts.noted).toEqual([
      `credited transfer of ${request.id} disappeared`,
      `reorganised ${DEEPEST + 1}`,
    ]);
  });

  it('stands still at a chain that shares no block with the one that was read', async () => {
    payments.chain.mineEmpty(5);
    await payments.follow();
    const read = (await payments.watched.cursor(NETWORK))!;

    payments.chain.takeBack(6);
    payments.chain.mineAt(await payments.platform.clock.now());
    payments.chain.mineEmpty(8);

    await expect(payments.turn()).rejects.toThrow('shares none of the');
    expect(await payments.watched.cursor(NETWORK)).toEqual(read);
  });
});
