import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

const MAX_REORGANIZATION_DEPTH = 20;

let payments: Payments;
let expectedBreaches: string[];
beforeEach(async () => {
  expectedBreaches = [];
  payments = await openPayments(MAX_REORGANIZATION_DEPTH + 1);
  await payments.follow();
});
afterEach(async () => {
  await payments.close(expectedBreaches);
});

describe('A reorganization before finality', () => {
  it.each([1, MAX_REORGANIZATION_DEPTH])(
    'removes a payment, and counts it again when a block includes it again: %d blocks deep',
    async (depth) => {
      payments.chain.blockSeconds = 1;
      const request = await payments.request();
      payments.chain.mine(pay(request, 1000));
      payments.chain.mineEmpty(depth - 1);
      await payments.follow();

      payments.chain.removeNewestBlocks(depth);
      payments.chain.mineEmpty(depth);
      await payments.follow();
      const without = await payments.read(request);
      payments.chain.mine(pay(request, 1000));
      await payments.follow();

      expect(without).toMatchObject({ status: 'processing', receivedAmount: 0n, transfers: [] });
      const { status, receivedAmount, transfers } = await payments.read(request);
      expect([status, receivedAmount, transfers.length]).toEqual(['processing', 10_000_000n, 1]);
      expect(await payments.told(request)).toEqual(['created', 'processing']);
      expect(payments.alerts.noted).toEqual([`reorganized ${depth}`]);
    },
  );

  it('counts a transaction once if another block includes it again at another log index', async () => {
    const request = await payments.request();
    const sent = { ...pay(request, 1000), transaction: 'the payment' };
    payments.chain.mine(sent);
    await payments.follow();

    payments.chain.removeNewestBlocks(1);
    payments.chain.mine(pay(request, 5, `0x${'66'.repeat(20)}`), sent);
    payments.chain.mineEmpty(MAX_REORGANIZATION_DEPTH);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.receivedAmount, read.transfers.length]).toEqual(['completed', 10_000_000n, 1]);
  });

  it('is detected when the chain is shorter than what was read', async () => {
    const request = await payments.request();
    payments.chain.mineEmpty(3);
    payments.chain.mine(pay(request, 1000));
    await payments.follow();

    payments.chain.removeNewestBlocks(3);
    await payments.follow();
    const shorter = await payments.read(request);
    payments.chain.mine();
    await payments.follow();

    expect(shorter.receivedAmount).toBe(10_000_000n);
    expect((await payments.read(request)).receivedAmount).toBe(0n);
    expect((await payments.watched.cursor(NETWORK))!.head.hash).toBe(payments.chain.tip.hash);
  });

  it('leaves nothing of the older fork if it happens between two answers', async () => {
    const request = await payments.request();
    payments.chain.mineEmpty(2);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(2);
    payments.chain.beforeAnswer = (question, about) => {
      if (question !== 'block' || about !== 3) return;
      payments.chain.beforeAnswer = () => undefined;
      payments.chain.removeNewestBlocks(4);
      payments.chain.mineEmpty(6);
    };

    await expect(payments.turn()).rejects.toThrow('is unavailable');
    await payments.follow();

    expect((await payments.read(request)).transfers).toEqual([]);
    expect((await payments.watched.cursor(NETWORK))!.head.hash).toBe(payments.chain.tip.hash);
  });
});

describe('A reorganization beyond finality', () => {
  it('keeps the outcome, reverses the posting, holds the address, and alerts', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(MAX_REORGANIZATION_DEPTH);
    await payments.follow();

    payments.chain.removeNewestBlocks(MAX_REORGANIZATION_DEPTH + 1);
    payments.chain.mineEmpty(MAX_REORGANIZATION_DEPTH + 2);
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

  it('alerts after the commit, not for an iteration that was rolled back', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(MAX_REORGANIZATION_DEPTH);
    await payments.follow();
    payments.chain.removeNewestBlocks(MAX_REORGANIZATION_DEPTH + 1);
    payments.chain.mineEmpty(MAX_REORGANIZATION_DEPTH + 2);

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
      `reorganized ${MAX_REORGANIZATION_DEPTH + 1}`,
    ]);
  });
});
