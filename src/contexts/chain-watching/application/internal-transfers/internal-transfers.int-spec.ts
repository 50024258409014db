import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  COIN,
  NETWORK,
  SmallCatalogue,
  GRACE_SECONDS,
  DOLLAR,
} from '#contexts/payments/testing/requests/collecting-world.js';
import type { SentMovement } from '../../testing/model-block.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';
import { type ChainTransfer, UNKNOWN_SENDER_ADDRESS } from '#contexts/networks/contract/chain-reader.js';
import { PostgresInternalTransferCheck } from '../../infrastructure/persistence/postgres-internal-transfer-check.js';

const PART_AMOUNT = 10n ** 18n;

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments(3, SmallCatalogue.withCoin());
  await payments.follow();
});
// `close` also checks every invariant on the data that the test leaves.
afterEach(() => payments.close());

async function request(amount = '2'): Promise<PaymentRequestView> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [COIN.uniqueAssetId] });
  return payments.request({ amount, uniqueAssetId: COIN.uniqueAssetId }, point);
}

const coinMovement = (
  to: Pick<PaymentRequestView, 'address'>,
  kind: SentMovement['kind'],
  amount = 2n * PART_AMOUNT,
): SentMovement => ({
  ...partMovement(to, kind),
  amount,
});

function partMovement(
  { address }: Pick<PaymentRequestView, 'address'>,
  kind: SentMovement['kind'],
): SentMovement {
  return { to: address, amount: PART_AMOUNT, token: COIN.token, kind };
}

/**
 * Mines a block that pays by a plain transaction, which the node omits, and by a contract call. Both parts are then
 * recorded as one internal transfer.
 */
async function recordTransferAsInternal(moreBlocks = 0, amount = '2'): Promise<PaymentRequestView> {
  const paid = await request(amount);
  payments.chain.skips = () => true;
  payments.chain.mine(partMovement(paid, 'call'), partMovement(paid, 'internal'));
  payments.chain.mineEmpty(moreBlocks);
  await payments.turn();
  payments.chain.skips = () => false;
  expect((await payments.read(paid)).transfers).toMatchObject([
    { kind: 'balance', amount: 2n * PART_AMOUNT },
  ]);
  return paid;
}

/** Mines a block long after the payment window has closed, then some more blocks. */
function mineLate({ expiresAt }: PaymentRequestView, ...sent: readonly SentMovement[]): void {
  payments.chain.mineAt(new Date(expiresAt.getTime() + 600_000), ...sent);
  payments.chain.mineEmpty(6);
}

async function readTransferParts(paid: PaymentRequestView) {
  const { status, receivedAmount, transfers } = await payments.read(paid);
  return { status, receivedAmount, parts: transfers.map(({ kind, bookedAs }) => [kind, bookedAs]).sort() };
}

const IN_TIME = {
  status: 'completed',
  receivedAmount: 2n * PART_AMOUNT,
  parts: [
    ['balance', 'payment_in'],
    ['call', 'payment_in'],
  ],
};

describe('An internal transfer that is dropped with a mistaken one and found again after the deadline', () => {
  it('keeps the time of the dropped transfer', async () => {
    const paid = await recordTransferAsInternal();

    mineLate(paid);
    await payments.follow();

    expect(await readTransferParts(paid)).toEqual(IN_TIME);
  });

  it('does not pass that time on to later transfers', async () => {
    const paid = await recordTransferAsInternal(0, '3');

    payments.chain.mineEmpty(1);
    mineLate(paid, partMovement(paid, 'internal'));
    await payments.follow();

    expect(await readTransferParts(paid)).toEqual({
      status: 'underpaid',
      receivedAmount: 2n * PART_AMOUNT,
      parts: [['balance', 'deposit'], ...IN_TIME.parts],
    });
  });
});

/** Opens a request for two coins, of which one was received in a plain transaction. */
async function openHalfPaidRequest(): Promise<PaymentRequestView> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [COIN.uniqueAssetId] });
  const request = await payments.request({ amount: '2', uniqueAssetId: COIN.uniqueAssetId }, point);
  payments.chain.mine(partMovement(request, 'call'));
  await payments.follow();
  return request;
}

/**
 * Makes all balance queries fail.
 * @returns a function that ends this
 */
function hideBalances(): () => void {
  payments.chain.statesKept = -1;
  return () => (payments.chain.statesKept = Infinity);
}

/** Mines and reads blocks until the payment window and the grace period are final. */
async function readPast({ expiresAt }: PaymentRequestView): Promise<void> {
  payments.chain.mineBeyond(new Date(expiresAt.getTime() + GRACE_SECONDS * 1_000));
  payments.chain.mineEmpty(5);
  await payments.follow();
}

async function stateOf(request: PaymentRequestView) {
  const { status, receivedAmount } = await payments.read(request);
  return [status, receivedAmount];
}

/**
 * Receives the second coin in time while balances are unavailable. Balances become available long after the
 * deadline.
 */
async function findSecondPartLate(): Promise<PaymentRequestView> {
  const request = await openHalfPaidRequest();
  const tellAgain = hideBalances();
  payments.chain.mine(partMovement(request, 'internal'));
  await readPast(request);
  expect(await stateOf(request)).toEqual(['processing', PART_AMOUNT]);
  expect(await payments.breaches()).toEqual({});
  tellAgain();
  payments.chain.mine();
  return request;
}

describe('A partial payment that arrived while balances were unknown', () => {
  it('keeps the request open until the block of its discovery is final', async () => {
    const request = await findSecondPartLate();

    const states = [];
    for (let block = 1; block <= 3; block += 1) {
      await payments.follow();
      states.push(await stateOf(request));
      expect(await payments.breaches()).toEqual({});
      payments.chain.mine();
    }

    expect(states).toEqual([
      ['processing', 2n * PART_AMOUNT],
      ['processing', 2n * PART_AMOUNT],
      ['completed', 2n * PART_AMOUNT],
    ]);
    const booked = (await payments.read(request)).transfers.map(({ kind, bookedAs }) => [kind, bookedAs]);
    expect(booked.sort()).toEqual([
      ['balance', 'payment_in'],
      ['call', 'payment_in'],
    ]);
  });

  it('ends the request once no endpoint shows it any longer', async () => {
    const request = await openHalfPaidRequest();
    const tellAgain = hideBalances();
    await readPast(request);
    tellAgain();
    const honest = payments.chain.balances.bind(payments.chain);
    payments.chain.balances = async (...asked) => (await honest(...asked)).map((told) => told + PART_AMOUNT);
    payments.chain.mine();
    await payments.turn();
    const told = await stateOf(request);

    payments.chain.balances = honest;
    await payments.follow();

    expect(told).toEqual(['processing', 2n * PART_AMOUNT]);
    expect(await stateOf(request)).toEqual(['underpaid', PART_AMOUNT]);
  });
});

/**
 * Makes the first endpoint add `more` to every balance.
 * @returns a function that ends this
 */
function falsifyBalances(more: bigint): () => void {
  const honest = payments.chain.balances.bind(payments.chain);
  payments.chain.balances = async (...asked) => (await honest(...asked)).map((balance) => balance + more);
  return () => {
    payments.chain.balances = honest;
  };
}

describe('A payment in native coin about which answers contradict one another', () => {
  it('counts once if a plain transaction was skipped at first and was found by the balance', async () => {
    const paid = await request();
    payments.chain.skips = () => true;
    payments.chain.mine(coinMovement(paid, 'call'));
    await payments.follow();

    payments.chain.skips = () => false;
    payments.chain.mineEmpty(4);
    await payments.follow();

    const read = await payments.read(paid);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 2n * PART_AMOUNT]);
    expect(read.transfers).toMatchObject([{ kind: 'call' }]);
  });

  it('is not confirmed by a balance that only one of two endpoints reports', async () => {
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    const paid = await request();
    const tellTruth = falsifyBalances(2n * PART_AMOUNT);
    payments.chain.mine();
    payments.chain.mineEmpty(6);
    await payments.follow();

    expect((await payments.read(paid)).status).toBe('processing');
    tellTruth();
  });
});

describe('An invented transfer above the cross-check threshold', () => {
  it('is not confirmed by the endpoint that invented it, if that answers both times', async () => {
    await payments.close();
    payments = await openPayments(3, SmallCatalogue.withAgreementAbove(5_000_000n));
    await payments.follow();
    const paid = await payments.request();
    const transfer: ChainTransfer = {
      kind: 'log',
      transactionHash: `0x${'99'.repeat(32)}`,
      index: 77,
      token: DOLLAR.token,
      from: `0x${'98'.repeat(20)}`,
      to: paid.address.toLowerCase(),
      amount: 10_000_000n,
    };
    const invents = ({ number }: { number: number }) => (number === 1 ? [transfer] : []);
    const liar = payments.chain.anotherEndpoint();
    liar.invents = invents;
    liar.containsTransfers = (_hash, transfers) => Promise.resolve(transfers.map(() => true));
    payments.chain.invents = invents;
    payments.chain.mine();
    await payments.follow();

    payments.chain.invents = () => [];
    payments.secondEndpoint.others.set(NETWORK, liar);
    payments.chain.mineEmpty(5);
    await payments.follow();

    expect((await payments.read(paid)).status).toBe('processing');
    expect((await payments.watched.cursor(NETWORK))!.disagreement).toMatch(/only one endpoint shows/);
  });
});

describe('A payment in the native coin', () => {
  it('counts with the value of a plain transaction', async () => {
    const paid = await request();

    payments.chain.mine(coinMovement(paid, 'call'));
    payments.chain.mineEmpty(3);
    await payments.follow();

    const read = await payments.read(paid);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 2n * PART_AMOUNT]);
    expect(read.transfers).toMatchObject([{ kind: 'call', transactionHash: expect.stringMatching(/^0x/) }]);
  });

  it('does not count if its transaction was reverted', async () => {
    const unpaid = await request();

    payments.chain.mine({ ...coinMovement(unpaid, 'call'), reverted: true });
    payments.chain.mineEmpty(3);
    await payments.follow();

    const read = await payments.read(unpaid);
    expect([read.status, read.transfers]).toEqual(['created', []]);
  });

  it('is found by the balance if it is an internal transfer, in the block in which it arrived', async () => {
    const paid = await request();

    payments.chain.mineEmpty(2);
    const block = payments.chain.mine(coinMovement(paid, 'internal'));
    payments.chain.mineEmpty(6);
    await payments.follow();

    const read = await payments.read(paid);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 2n * PART_AMOUNT]);
    expect(read.transfers).toMatchObject([
      { kind: 'balance', blockNumber: block.number, from: UNKNOWN_SENDER_ADDRESS, final: true },
    ]);
    expect(read.transfers[0]!.transactionHash).toBeUndefined();
  });

  it('is detected after the address paid out earlier funds', async () => {
    const paid = await request();
    payments.chain.mine(coinMovement(paid, 'internal', PART_AMOUNT));
    await payments.follow();

    payments.chain.mine(coinMovement(paid, 'payout', PART_AMOUNT));
    await payments.follow();
    payments.chain.mine(coinMovement(paid, 'internal', PART_AMOUNT));
    payments.chain.mineEmpty(3);
    await payments.follow();

    expect((await payments.read(paid)).status).toBe('completed');
    expect(payments.alerts.noted).toEqual([]);
  });

  it('is detected with its amount after a reorganization has removed a payout of earlier funds', async () => {
    const paid = await request();
    payments.chain.mine(coinMovement(paid, 'internal', PART_AMOUNT));
    await payments.follow();
    payments.chain.mine(coinMovement(paid, 'payout', PART_AMOUNT));
    await payments.follow();
    payments.chain.removeNewestBlocks(1);
    payments.chain.mine();
    payments.chain.mine(coinMovement(paid, 'internal', PART_AMOUNT));
    payments.chain.mineEmpty(3);
    await payments.follow();

    const { transfers } = await payments.read(paid);
    expect(transfers.map(({ amount }) => amount)).toEqual([PART_AMOUNT, PART_AMOUNT]);
  });

  it('counts as in time if its internal transfer was in time, however late that is read', async () => {
    const paid = await request();

    payments.chain.mineAt(paid.expiresAt, coinMovement(paid, 'internal'));
    payments.chain.mineBeyond(new Date(paid.expiresAt.getTime() + 900_000));
    await payments.follow();

    expect((await payments.read(paid)).status).toBe('completed');
  });

  it('is timestamped by the next block whose state is known', async () => {
    const paid = await request();
    payments.chain.statesKept = 2;

    payments.chain.mine(coinMovement(paid, 'internal'));
    payments.chain.mineEmpty(5);
    await payments.follow();
    payments.chain.mineEmpty(3);
    await payments.follow();

    const read = await payments.read(paid);
    expect([read.status, read.transfers[0]!.kind]).toEqual(['completed', 'balance']);
  });

  it('waits, and alerts, while no state is known', async () => {
    const paid = await request();
    payments.chain.statesKept = -1;

    payments.chain.mine(coinMovement(paid, 'internal'));
    await payments.follow();
    const unknown = [...payments.alerts.noted];
    payments.chain.statesKept = Infinity;
    payments.chain.mine();
    await payments.follow();

    expect(unknown).toContain('balances unknown');
    expect((await payments.read(paid)).receivedAmount).toBe(2n * PART_AMOUNT);
  });
});

describe('Native coin at the address of an ended request', () => {
  it('is found by the daily scan, and becomes a deposit', async () => {
    const ended = await payments.request();
    payments.chain.mineBeyond(new Date(ended.expiresAt.getTime() + 120_000));
    await payments.follow();
    payments.chain.mine(coinMovement(ended, 'internal'));
    payments.chain.mineEmpty(3);
    await payments.follow();
    const before = await payments.read(ended);

    await payments.platform.advance(86_400);
    payments.chain.mine();
    await payments.follow();
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect([before.status, before.transfers]).toEqual(['expired', []]);
    expect((await payments.read(ended)).transfers).toMatchObject([
      { kind: 'balance', uniqueAssetId: COIN.uniqueAssetId, bookedAs: 'deposit', amount: 2n * PART_AMOUNT },
    ]);
  });

  it('costs one balance query per day and address', async () => {
    const ended = await payments.request();
    payments.chain.mineBeyond(new Date(ended.expiresAt.getTime() + 120_000));
    await payments.follow();
    let asked = 0;
    payments.chain.beforeAnswer = (question) => {
      if (question === 'balances') asked += 1;
    };

    for (let block = 1; block <= 5; block += 1) {
      payments.chain.mine();
      await payments.follow();
    }
    const withinTheDay = asked;
    await payments.platform.advance(86_400);
    payments.chain.mine();
    await payments.follow();

    expect([withinTheDay, asked]).toEqual([0, 1]);
  });
});

const REQUEST_COUNT = 4;
/** Requests compared per iteration, so that a round takes two iterations. */
const REQUESTS_PER_ITERATION = 2;

let open: PaymentRequestView[];

async function runIterations(count: number): Promise<void> {
  const watcher = payments.limitedWatcher({ balances: REQUESTS_PER_ITERATION });
  for (let block = 0; block < count; block += 1) {
    payments.chain.mineEmpty(1);
    await watcher.follow(NETWORK, payments.epoch);
  }
}

const cursor = async () => (await payments.watched.cursor(NETWORK))!;

describe('The comparison of the balances of open requests over several iterations', () => {
  beforeEach(async () => {
    open = [];
    for (let n = 0; n < REQUEST_COUNT; n += 1) open.push(await request());
    open.sort((a, b) => (a.id < b.id ? -1 : 1));
  });

  it('counts funds as in time that a later iteration finds', async () => {
    const last = open.at(-1)!;
    await runIterations(4);
    payments.chain.mine(coinMovement(last, 'internal'));
    payments.chain.mineBeyond(new Date(last.expiresAt.getTime() + 3_600_000));
    await runIterations(8);

    expect(await payments.read(last)).toMatchObject({
      status: 'completed',
      receivedAmount: 2n * PART_AMOUNT,
    });
    expect((await payments.read(open[0]!)).status).toBe('expired');
  });

  it('stops watching ended requests, and restarts the round after a reorganization', async () => {
    await runIterations(1);
    payments.chain.removeNewestBlocks(1);
    payments.chain.mineEmpty(1);
    await payments.limitedWatcher({ balances: REQUESTS_PER_ITERATION }).follow(NETWORK, payments.epoch);
    expect((await cursor()).balanceRound).toBeNull();

    payments.chain.mineBeyond(new Date(open.at(-1)!.expiresAt.getTime() + 3_600_000));
    await runIterations(8);
    expect(await payments.database.query('SELECT * FROM payments.balance_watch')).toEqual([]);
  });
});

/** Creates requests that expired unpaid. No balance sweep is due. */
async function expireRequests(count: number): Promise<PaymentRequestView[]> {
  const made: PaymentRequestView[] = [];
  for (let i = 0; i < count; i += 1) made.push(await request());
  payments.chain.mineBeyond(new Date(made[0]!.expiresAt.getTime() + 600_000));
  payments.chain.mineEmpty(4);
  await payments.follow();
  return made;
}

const now = () => payments.platform.clock.now();
const amounts = async (request: PaymentRequestView) =>
  (await payments.read(request)).transfers.map(({ kind, amount }) => [kind, amount]);

describe('A requested check for internal transfers', () => {
  let look: PostgresInternalTransferCheck;
  beforeEach(() => {
    look = new PostgresInternalTransferCheck(payments.database, payments.catalogue);
  });

  it('finds a transfer to an ended request in the next iteration, without a new block', async () => {
    const [paid, other] = (await expireRequests(2)) as [PaymentRequestView, PaymentRequestView];
    payments.chain.mine({ to: paid.address, amount: PART_AMOUNT, token: COIN.token, kind: 'internal' });
    payments.chain.mine();
    await payments.follow();
    const since = await now();
    const unseen = await amounts(paid);

    const asked = await look.requestComparison(NETWORK, [paid.address, other.address], since);
    await payments.turn();

    expect([unseen, asked.size]).toEqual([[], 0]);
    expect(await look.requestComparison(NETWORK, [paid.address, other.address], since)).toEqual(
      new Set([paid.address, other.address]),
    );
    expect(await amounts(paid)).toEqual([['balance', PART_AMOUNT]]);
    payments.chain.mineEmpty(4);
    await payments.follow();
    expect(await amounts(paid)).toEqual([['balance', PART_AMOUNT]]);
  });

  it('is done once for each time that it is requested', async () => {
    const [one] = (await expireRequests(1)) as [PaymentRequestView];
    const since = await now();
    await look.requestComparison(NETWORK, [one.address], since);
    await payments.turn();
    const later = await now();

    const asked: unknown[] = [];
    payments.chain.beforeAnswer = (question) => void (question === 'balances' && asked.push(question));
    await payments.turn();
    expect(asked).toEqual([]);
    expect((await look.requestComparison(NETWORK, [one.address], since)).size).toBe(1);
    expect((await look.requestComparison(NETWORK, [one.address], later)).size).toBe(0);
    await payments.turn();
    payments.chain.beforeAnswer = () => undefined;

    expect(asked).toHaveLength(1);
    expect((await look.requestComparison(NETWORK, [one.address], later)).size).toBe(1);
  });
});
