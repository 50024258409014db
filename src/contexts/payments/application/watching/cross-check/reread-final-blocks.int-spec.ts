import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import { CONFIRMATIONS, DOLLAR, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { ChainModel } from '#contexts/payments/testing/watching/chain-model.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

const cursor = async () => (await payments.watched.cursor(NETWORK))!;

function invented(
  { address }: Pick<PaymentRequestView, 'address'>,
  amount = 10_000_000n,
): (header: { number: number }) => ChainTransfer[] {
  const transfer: ChainTransfer = {
    kind: 'log',
    transactionHash: `0x${'99'.repeat(32)}`,
    index: 77,
    token: DOLLAR.token,
    from: `0x${'98'.repeat(20)}`,
    to: address.toLowerCase(),
    amount,
  };
  return ({ number }) => (number === 1 ? [transfer] : []);
}

describe('Reading final blocks a second time', () => {
  it('finds what the first reading skipped, and decides by it', async () => {
    const request = await payments.request();
    payments.chain.skips = () => true;
    payments.chain.mine(pay(request, 1000));
    await payments.follow();
    const skipped = await payments.read(request);

    payments.chain.skips = () => false;
    payments.chain.mineEmpty(2);
    await payments.follow();

    const read = await payments.read(request);
    expect([skipped.status, skipped.transfers]).toEqual(['created', []]);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 10_000_000n]);
    expect(payments.alerts.noted).toEqual(['missed 1, invented 0']);
  });

  it('makes what was skipped a deposit where the request was taken for unpaid meanwhile: nothing is lost', async () => {
    const request = await payments.request();
    payments.chain.skips = () => true;
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineAt(new Date(request.expiresAt.getTime() + 120_000));
    await payments.follow();
    const taken = await payments.read(request);

    payments.chain.skips = () => false;
    payments.chain.mineEmpty(1);
    await payments.follow();

    expect([taken.status, taken.transfers]).toEqual(['expired', []]);
    expect((await payments.read(request)).transfers).toMatchObject([{ final: true, bookedAs: 'deposit' }]);
  });

  it('finds what the first endpoint skipped by another one, however often the first skips it', async () => {
    const request = await payments.request();
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    payments.chain.skips = () => true;
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('completed');
  });

  it('finds one of two equal transfers in one transaction', async () => {
    const request = await payments.request();
    const half = { ...pay(request, 500), transaction: 'both halves' };
    payments.chain.skips = ({ index }) => index === 1;
    payments.chain.mine(half, half);
    await payments.follow();

    payments.chain.skips = () => false;
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('completed');
  });

  it('drops what was invented before it can be final', async () => {
    const request = await payments.request();
    payments.chain.invents = invented(request);
    payments.chain.mine();
    await payments.follow();
    const believed = await payments.read(request);

    payments.chain.invents = () => [];
    payments.chain.mineEmpty(2);
    await payments.follow();

    const read = await payments.read(request);
    expect([believed.status, believed.receivedAmount]).toEqual(['processing', 10_000_000n]);
    expect([read.status, read.receivedAmount, read.transfers]).toEqual(['processing', 0n, []]);
    expect(payments.alerts.noted).toEqual(['missed 0, invented 1']);
  });

  it('lets no endpoint whose every answer is false confirm anything while another is right', async () => {
    const request = await payments.request();
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    payments.chain.invents = invented(request);
    payments.chain.holds = (_network, _hash, transfers) => Promise.resolve(transfers.map(() => true));
    payments.chain.mine();
    payments.chain.mineEmpty(6);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('processing');
    expect((await cursor()).disagreement).toMatch(/only one endpoint shows transfer 77 of 0x99/);
    expect((await cursor()).finalNumber).toBe(0);
  });

  it('asks each endpoint for one receipt, however many transfers are in a transaction', async () => {
    const request = await payments.request();
    const other = payments.chain.anotherEndpoint();
    payments.secondEndpoint.others.set(NETWORK, other);
    const questions: string[] = [];
    payments.chain.beforeAnswer = (question) => void (question === 'holds' && questions.push('first'));
    other.beforeAnswer = (question) => void (question === 'holds' && questions.push('second'));
    const half = pay(request, 500);
    payments.chain.skips = ({ index }) => index % 2 === 0;
    payments.chain.mine(...Array.from({ length: 40 }, () => ({ ...half, transaction: 'all' })), half);
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.read(request)).receivedAmount).toBe(205_000_000n);
    expect(questions.toSorted()).toEqual(['first', 'first', 'second', 'second']);
  });

  it('is content where only the second reading skipped something that its receipts show', async () => {
    const request = await payments.request();
    payments.secondEndpoint.skips = () => true;
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('completed');
    expect(payments.alerts.noted).toEqual([]);
  });

  it('waits with finality while another endpoint has another block there, and goes on when both agree', async () => {
    const request = await payments.request();
    const genesis = await payments.watched.block(NETWORK, 0);
    const fork = new ChainModel(genesis!.time, CONFIRMATIONS, 30);
    fork.mineEmpty(10);
    payments.secondEndpoint.others.set(NETWORK, fork);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(5);
    await payments.follow();
    const [waiting, disagreed] = [await payments.read(request), await cursor()];

    payments.secondEndpoint.others.clear();
    payments.chain.mine();
    await payments.follow();

    expect([waiting.status, waiting.transfers[0]!.final, disagreed.finalNumber]).toEqual([
      'processing',
      false,
      0,
    ]);
    expect(disagreed.disagreement).toMatch(/another endpoint has block 0x[0-9a-f]+ at height 4/);
    expect([(await payments.read(request)).status, (await cursor()).disagreement]).toEqual([
      'completed',
      null,
    ]);
  });

  it('notices, though nothing new is final, an endpoint that comes back with another final block', async () => {
    payments.chain.mineEmpty(5);
    await payments.follow();
    const watcher = payments.watcher();
    const turns = async () => {
      for (let turn = 1; turn <= 5; turn += 1) await watcher.execute(NETWORK, payments.epoch);
      return (await cursor()).disagreement;
    };
    const fork = new ChainModel((await payments.watched.block(NETWORK, 0))!.time, CONFIRMATIONS, 30);
    fork.mine(pay({ address: `0x${'0'.repeat(40)}` }, 1));
    fork.mineEmpty(5);

    payments.secondEndpoint.others.set(NETWORK, fork);
    const apart = await turns();
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    const together = await turns();

    expect([apart, together]).toEqual([
      expect.stringMatching(/another endpoint has block .* at height 3/),
      null,
    ]);
  });

  it('does not undo what was final where one endpoint follows another fork', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(5);
    await payments.follow();
    const honest = new ChainModel(payments.chain.tip.time, CONFIRMATIONS, 60);
    honest.block = async (_, number) => {
      const known = await payments.watched.block(NETWORK, number);
      return known === null ? null : { ...known };
    };
    payments.secondEndpoint.others.set(NETWORK, honest);

    payments.chain.takeBack(6);
    payments.chain.mineEmpty(8);
    const more = await payments.turn();

    expect([more, (await cursor()).head.number]).toEqual([false, 6]);
    expect((await cursor()).disagreement).toMatch(/has replaced the final block 4/);
    expect(payments.chain.doubted).toHaveLength(1);
    expect((await payments.read(request)).transfers).toMatchObject([{ counted: true, final: true }]);
  });
});
