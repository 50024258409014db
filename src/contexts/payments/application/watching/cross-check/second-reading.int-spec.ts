import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BlockHeader, ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import { NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

describe('A second reading of what one of two endpoints skips', () => {
  const liar = { readBy: 'liar', skips: () => true };
  const honest = { readBy: 'honest', skips: () => false };

  function readBy(reading: typeof liar, other: typeof liar): void {
    const second = payments.secondEndpoint.others.get(NETWORK) ?? payments.chain.anotherEndpoint();
    payments.secondEndpoint.others.set(NETWORK, second);
    Object.assign(payments.chain, reading);
    Object.assign(second, other);
  }

  it.each([
    ['hides it again', liar],
    ['shows it now', { ...liar, skips: () => false }],
  ])('finds it once by the other one, where the one that has read it first %s', async (_, second) => {
    const request = await payments.request();
    readBy(liar, honest);
    payments.chain.mine(pay(request, 1000));
    await payments.follow();

    readBy(honest, second);
    payments.chain.mineEmpty(2);
    await payments.follow();

    const { status, receivedAmount, transfers } = await payments.read(request);
    expect([status, receivedAmount, transfers.length]).toEqual(['completed', 10_000_000n, 1]);
  });

  it('finds what each of them hides in blocks that it has read first', async () => {
    const [one, two] = [await payments.request(), await payments.request()];
    const other = payments.chain.anotherEndpoint();
    payments.secondEndpoint.others.set(NETWORK, other);
    const hides = (readBy: string, hidden: string) => ({
      readBy,
      skips: ({ to }: ChainTransfer) => to === hidden.toLowerCase(),
    });
    const [hidesOne, hidesTwo] = [hides('A', one.address), hides('B', two.address)];
    Object.assign(payments.chain, hidesOne);
    Object.assign(other, hidesTwo);
    payments.chain.mine(pay(one, 1000));
    await payments.follow();
    Object.assign(payments.chain, hidesTwo);
    Object.assign(other, hidesOne);
    payments.chain.mine(pay(two, 1000));
    await payments.follow();

    payments.chain.mineEmpty(2);
    await payments.follow();

    const read = [await payments.read(one), await payments.read(two)];
    expect(read.map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  it('compares the times of blocks by the other one too', async () => {
    const right = ({ time }: BlockHeader) => time;
    // The time of the newest block is compared in any case.
    const late = (header: BlockHeader) =>
      header.number === 1 ? new Date(header.time.getTime() + 1000) : header.time;
    const request = await payments.request();
    readBy({ ...honest, readBy: 'liar' }, { ...honest });
    Object.assign(payments.chain, { dates: late });
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(1);
    await payments.follow();

    readBy({ ...honest }, { ...honest, readBy: 'liar' });
    Object.assign(payments.chain, { dates: right });
    Object.assign(payments.secondEndpoint.others.get(NETWORK)!, { dates: late });
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.watched.cursor(NETWORK))!.disagreement).toMatch(/with time/);
  });

  it('waits while only the one that has read the blocks first answers', async () => {
    const request = await payments.request();
    readBy(liar, liar);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.watched.cursor(NETWORK))!.finalNumber).toBe(0);
    expect(payments.alerts.noted).toContain('finality waits for 1');
  });
});
