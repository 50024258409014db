import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

describe('Reading a node that leaves blocks out', () => {
  it('stops before a block that the node does not have yet', async () => {
    const request = await payments.request();
    payments.chain.mineEmpty(2);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(2);

    payments.chain.hide(3);
    await payments.follow();
    const gap = await payments.read(request);
    payments.chain.reveal();
    await payments.follow();

    expect(gap.transfers).toEqual([]);
    expect((await payments.read(request)).status).toBe('completed');
  });

  it('stops before a block that is missing between others', async () => {
    const request = await payments.request();
    const paid = payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(2);
    const answer = payments.chain.blocks.bind(payments.chain);
    payments.chain.blocks = async (...asked) =>
      (await answer(...asked)).filter(({ header }) => header.number !== paid.number + 1);

    await payments.follow();
    const read = (await payments.watched.cursor(NETWORK))!.head.number;
    payments.chain.blocks = answer;
    await payments.follow();

    expect(read).toBe(paid.number);
    expect((await payments.read(request)).status).toBe('completed');
  });
});
