import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EURO, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

describe('A block that reads otherwise a second time', () => {
  it.each([
    ['another sender', { from: `0x${'98'.repeat(20)}` }],
    ['another asset', { token: EURO.token }],
  ])('puts the true transfer in the place of one that was read with %s', async (_, wrong) => {
    const request = await payments.request();
    const paid = pay(request, 1000);
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    payments.chain.mine(paid);
    const tell = payments.chain.told.bind(payments.chain);
    payments.chain.told = (block) => {
      const told = tell(block);
      return { ...told, transfers: told.transfers.map((transfer) => ({ ...transfer, ...wrong })) };
    };
    await payments.follow();

    payments.chain.told = tell;
    payments.chain.mineEmpty(2);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 10_000_000n]);
    expect(read.transfers).toMatchObject([
      { from: expect.stringMatching(/^0xf{40}$/i), counted: true, final: true },
    ]);
    expect(payments.alerts.noted).toEqual(['missed 1, invented 1']);
  });

  it('puts the true transfer in the place of one that was read in another block', async () => {
    const request = await payments.request();
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    const first = payments.chain.mine();
    const second = payments.chain.mine(pay(request, 1000));
    const [moved] = payments.chain.at(NETWORK, second.hash).transfers;
    payments.chain.skips = () => true;
    payments.chain.invents = ({ number }) => (number === first.number ? [moved!] : []);
    await payments.follow();

    payments.chain.skips = () => false;
    payments.chain.invents = () => [];
    payments.chain.mineEmpty(3);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.transfers.length]).toEqual(['completed', 1]);
    expect(payments.alerts.noted).toEqual(['missed 1, invented 1']);
  });

  it.each([
    ['the newest final block', 2],
    ['a block below it', 5],
  ])('waits with finality where another endpoint has another time for %s, which pays', async (_, above) => {
    const request = await payments.request();
    const tooLate = new Date(request.expiresAt.getTime() + 90_000);
    payments.chain.dates = ({ number, time }) => (number === 1 ? request.expiresAt : time);
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    const { hash } = payments.chain.mineAt(tooLate, pay(request, 1000));
    payments.chain.mineEmpty(above);
    await payments.follow();

    const read = await payments.read(request);
    const { disagreement, finalNumber } = (await payments.watched.cursor(NETWORK))!;
    expect([read.status, read.transfers[0]!.final, finalNumber]).toEqual(['processing', false, 0]);
    expect(disagreement).toBe(
      `another endpoint has block ${hash} at height 1 with time ${tooLate.toISOString()}, ` +
        `where ${request.expiresAt.toISOString()} was read.`,
    );
  });
});
