import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ChainTransfer, ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { CONFIRMATIONS, DOLLAR, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { ChainModel } from '../../testing/chain-model.js';
import { pay, type Payments, withReadPayments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';

let payments: Payments;
withReadPayments((opened) => (payments = opened));

const readCursor = async () => (await payments.watched.cursor(NETWORK))!;

function inventTransfer({ address }: PaymentRequestView): (header: { number: number }) => ChainTransfer[] {
  const transfer: ChainTransfer = {
    kind: 'log',
    transactionHash: `0x${'99'.repeat(32)}`,
    index: 77,
    token: DOLLAR.token,
    from: `0x${'98'.repeat(20)}`,
    to: address.toLowerCase(),
    amount: 10_000_000n,
  };
  return ({ number }) => (number === 1 ? [transfer] : []);
}

describe('The second reading of final blocks', () => {
  it('finds a transfer that the first reading skipped, and decides the request by it', async () => {
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

  it('finds one of two equal transfers of one transaction', async () => {
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

  it('removes an invented transfer before it is final', async () => {
    const request = await payments.request();
    payments.chain.invents = inventTransfer(request);
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

  it('does not accept a transfer that only one of two endpoints shows', async () => {
    const request = await payments.request();
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    payments.chain.invents = inventTransfer(request);
    payments.chain.containsTransfers = (_hash, transfers) => Promise.resolve(transfers.map(() => true));
    payments.chain.mine();
    payments.chain.mineEmpty(6);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('processing');
    expect((await readCursor()).disagreement).toMatch(/only one endpoint shows transfer 77 of 0x99/);
    expect((await readCursor()).finalNumber).toBe(0);
  });

  it('delays finality while another endpoint has another block, and resumes when both agree', async () => {
    const request = await payments.request();
    const genesis = await payments.watched.block(NETWORK, 0);
    const fork = new ChainModel(genesis!.time, CONFIRMATIONS, 30);
    fork.mineEmpty(10);
    payments.secondEndpoint.others.set(NETWORK, fork);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(5);
    await payments.follow();
    const [waiting, disagreed] = [await payments.read(request), await readCursor()];

    payments.secondEndpoint.others.clear();
    payments.chain.mine();
    await payments.follow();

    expect([waiting.status, waiting.transfers[0]!.final, disagreed.finalNumber]).toEqual([
      'processing',
      false,
      0,
    ]);
    expect(disagreed.disagreement).toMatch(/another endpoint has block 0x[0-9a-f]+ at height 4/);
    expect([(await payments.read(request)).status, (await readCursor()).disagreement]).toEqual([
      'completed',
      null,
    ]);
  });

  it('does not undo a final payment if only one endpoint follows another fork', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(5);
    await payments.follow();
    const honest = new ChainModel(payments.chain.tip.time, CONFIRMATIONS, 60);
    honest.blockHeader = async (number) => {
      const known = await payments.watched.block(NETWORK, number);
      return known === null ? null : { ...known };
    };
    payments.secondEndpoint.others.set(NETWORK, honest);

    payments.chain.removeNewestBlocks(6);
    payments.chain.mineEmpty(8);
    const more = await payments.turn();

    expect([more, (await readCursor()).head.number]).toEqual([false, 6]);
    expect((await readCursor()).disagreement).toMatch(/has replaced the final block 4/);
    expect(payments.chain.doubted).toHaveLength(1);
    expect((await payments.read(request)).transfers).toMatchObject([{ counted: true, final: true }]);
  });
});

describe('The second reading of a block that one of two endpoints hides', () => {
  const liar = { readBy: 'liar', skips: () => true };
  const honest = { readBy: 'honest', skips: () => false };

  function readBy(reading: typeof liar, other: typeof liar): void {
    const second = payments.secondEndpoint.others.get(NETWORK) ?? payments.chain.anotherEndpoint();
    payments.secondEndpoint.others.set(NETWORK, second);
    Object.assign(payments.chain, reading);
    Object.assign(second, other);
  }

  it('finds it once by the endpoint that has not read it first', async () => {
    const request = await payments.request();
    readBy(liar, honest);
    payments.chain.mine(pay(request, 1000));
    await payments.follow();

    readBy(honest, liar);
    payments.chain.mineEmpty(2);
    await payments.follow();

    const { status, receivedAmount, transfers } = await payments.read(request);
    expect([status, receivedAmount, transfers.length]).toEqual(['completed', 10_000_000n, 1]);
  });

  it('delays finality while only the endpoint that read the blocks first answers', async () => {
    const request = await payments.request();
    readBy(liar, liar);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.watched.cursor(NETWORK))!.finalNumber).toBe(0);
    expect(payments.alerts.noted).toContain('finality waits for 1');
  });
});

describe('An unavailable second endpoint', () => {
  it('delays finality, not the reading, while it fails and just after', async () => {
    const request = await payments.request();
    const away = payments.chain.anotherEndpoint();
    away.beforeAnswer = () => {
      throw new ChainUnavailable(NETWORK, 'HTTP status 503');
    };
    payments.secondEndpoint.others.set(NETWORK, away);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(5);
    await payments.follow();
    const waiting = await payments.read(request);

    // It has just failed, so the first endpoint is not trusted alone.
    away.beforeAnswer = () => undefined;
    payments.secondEndpoint.others.clear();
    payments.secondEndpoint.isMissed = true;
    for (let turn = 1; turn <= 6; turn += 1) await payments.turn();
    expect((await payments.read(request)).status).toBe('processing');
    payments.secondEndpoint.isMissed = false;
    await payments.follow();

    expect([waiting.status, waiting.receivedAmount]).toEqual(['processing', 10_000_000n]);
    expect(payments.alerts.noted).toContain('finality waits for 1');
    expect((await payments.read(request)).status).toBe('completed');
  });
});

let other: ChainModel;
const addSecondEndpoint = () => {
  other = payments.chain.anotherEndpoint();
  payments.secondEndpoint.others.set(NETWORK, other);
};

describe('The depth from which a block is final', () => {
  beforeEach(addSecondEndpoint);

  it('is not counted in blocks that no other endpoint has', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(9);
    other.lag(8);
    await payments.follow();
    const early = await payments.read(request);

    other.lag(7);
    await payments.follow();

    expect([early.status, early.transfers[0]!.final]).toEqual(['processing', false]);
    expect([(await payments.read(request)).status, (await readCursor()).finalNumber]).toEqual([
      'completed',
      1,
    ]);
  });

  it('is counted by a single endpoint if no other is available', async () => {
    payments.chain.mineEmpty(10);
    payments.secondEndpoint.isAway = true;
    payments.secondEndpoint.others.clear();
    await payments.follow();

    expect((await readCursor()).finalNumber).toBe(10 - CONFIRMATIONS + 1);
  });
});

describe('An endpoint that lags', () => {
  beforeEach(addSecondEndpoint);

  it('triggers an alert after 100 iterations without finality', async () => {
    payments.chain.mineEmpty(10);
    other.lag(9);
    await payments.follow();
    const watcher = payments.watcher();
    const turns = async (count: number) => {
      for (let turn = 1; turn <= count; turn += 1) await watcher.follow(NETWORK, payments.epoch);
      return payments.alerts.noted.length;
    };

    const before = await turns(99);
    other.lag(7);
    const afterMore = await turns(100);
    await turns(1);

    expect([before, afterMore, payments.alerts.noted]).toEqual([0, 0, ['finality waits for 2']]);
  });
});

describe('The second reading while no transfer waits for it', () => {
  const PAUSE = 4;
  let follow: () => Promise<boolean>;
  let secondAsked: string[];

  beforeEach(async () => {
    const watcher = payments.limitedWatcher({ iterationsBetweenRereads: PAUSE });
    follow = () => watcher.follow(NETWORK, payments.epoch);
    const second = payments.chain.anotherEndpoint();
    payments.secondEndpoint.others.set(NETWORK, second);
    payments.chain.mineEmpty(2 * CONFIRMATIONS);
    await follow();
    await follow();
    secondAsked = [];
    second.beforeAnswer = (question) => void secondAsked.push(question);
  });

  it('reads the final blocks of several iterations together, and leaves none out', async () => {
    const before = (await readCursor()).finalNumber!;
    const iterations = 3 * (PAUSE + 1);
    for (let i = 0; i < iterations; i += 1) {
      payments.chain.mine();
      await follow();
    }

    const blocks = (await readCursor()).finalNumber! - before;
    const reads = secondAsked.filter((question) => question === 'head').length;
    expect(reads).toBeLessThanOrEqual(4);
    expect(secondAsked.filter((question) => question === 'block')).toHaveLength(blocks);
    expect(blocks).toBeGreaterThanOrEqual(iterations - PAUSE - 1);
  });

  it('does not wait once a transfer is final', async () => {
    const request = await payments.request();
    const { number } = payments.chain.mine(pay(request, 1000));
    for (let confirmations = 1; confirmations <= CONFIRMATIONS + 1; confirmations += 1) {
      await follow();
      payments.chain.mine();
    }

    expect((await readCursor()).finalNumber).toBeGreaterThanOrEqual(number);
    expect((await payments.read(request)).status).toBe('completed');
  });

  it('does not wait once the endpoints disagree', async () => {
    const fork = new ChainModel(new Date(0), CONFIRMATIONS, 30);
    fork.mineEmpty(100);
    payments.secondEndpoint.others.set(NETWORK, fork);
    for (let i = 0; i <= PAUSE; i += 1) {
      payments.chain.mine();
      await follow();
    }
    const disagreed = (await readCursor()).disagreement;

    payments.secondEndpoint.others.clear();
    await follow();

    expect(disagreed).toMatch(/another endpoint has block/);
    expect((await readCursor()).disagreement).toBeNull();
  });
});
