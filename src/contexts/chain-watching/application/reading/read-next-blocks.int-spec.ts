import { beforeEach, describe, expect, it, afterEach } from '@jest/globals';
import { EURO, NETWORK, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { storeOpenRequests } from '#contexts/payments/testing/requests/store-open-requests.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

describe('A block that is read differently a second time', () => {
  it.each([
    ['another sender', { from: `0x${'98'.repeat(20)}` }],
    ['another asset', { token: EURO.token }],
  ])('replaces a transfer that was read with %s', async (_, wrong) => {
    const request = await payments.request();
    const paid = pay(request, 1000);
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    payments.chain.mine(paid);
    const tell = payments.chain.answeredBlock.bind(payments.chain);
    payments.chain.answeredBlock = (block) => {
      const told = tell(block);
      return { ...told, transfers: told.transfers.map((transfer) => ({ ...transfer, ...wrong })) };
    };
    await payments.follow();

    payments.chain.answeredBlock = tell;
    payments.chain.mineEmpty(2);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 10_000_000n]);
    expect(read.transfers).toMatchObject([
      { from: expect.stringMatching(/^0xf{40}$/i), counted: true, final: true },
    ]);
    expect(payments.alerts.noted).toEqual(['missed 1, invented 1']);
  });

  it('replaces a transfer that was read in another block', async () => {
    const request = await payments.request();
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    const first = payments.chain.mine();
    const second = payments.chain.mine(pay(request, 1000));
    const [moved] = payments.chain.blockWithHash(second.hash).transfers;
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
  ])(
    'delays finality if another endpoint has another time for the block of a payment: %s',
    async (_, above) => {
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
    },
  );
});

describe('A node that omits blocks', () => {
  it('stops the reading before the missing block', async () => {
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

describe('A block with an impossible time', () => {
  const cursor = () => payments.watched.cursor(NETWORK);

  /** The endpoint returns a time in the next century for one block, until the returned function is called. */
  function lieAboutTimeOf(number: number): () => void {
    const { chain } = payments;
    const time = new Date('2100-01-01T00:00:00Z');
    chain.dates = (header) => (header.number === number ? time : header.time);
    return () => (chain.dates = (header) => header.time);
  }

  beforeEach(async () => {
    await payments.close();
    const [network] = new SmallCatalogue().networks();
    payments = await openPayments(undefined, new SmallCatalogue([{ ...network!, maxLagSeconds: 300 }]));
  });

  it('ends no request, and is read again when its time is right', async () => {
    await payments.follow();
    const request = await payments.request();
    const before = await cursor();
    payments.chain.mine(pay(request, 400));
    const tellTruth = lieAboutTimeOf(1);

    await expect(payments.turn()).rejects.toThrow(/block 1 is \d+ s ahead of the service’s clock/);
    const [during, { status }] = [await cursor(), await payments.read(request)];
    tellTruth();
    payments.chain.mine(pay(request, 600));
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect([during, status, payments.chain.doubted.length]).toEqual([before, 'created', 1]);
    expect((await payments.read(request)).status).toBe('completed');
  });

  it('is not the first block that is read', async () => {
    lieAboutTimeOf(0);

    await expect(payments.turn()).rejects.toBeInstanceOf(ChainUnavailable);

    expect([await cursor(), payments.chain.doubted.length]).toEqual([null, 1]);
  });
});

/** Runs a watcher until no block is left, and returns the number of blocks read in each iteration. */
async function readBlocksPerIteration(of: Payments): Promise<number[]> {
  const watcher = of.watcher();
  const counts: number[] = [];
  const readTo = async () => (await of.watched.cursor(NETWORK))!.head.number;
  for (let before = await readTo(); before < of.chain.tip.number; before = await readTo()) {
    await watcher.follow(NETWORK, of.epoch);
    counts.push((await readTo()) - before);
  }
  return counts;
}

describe('The watcher far behind the head', () => {
  it('reads more blocks per iteration while there are few transfers, unless it compares balances', async () => {
    payments.chain.mineEmpty(600);

    const native = await openPayments(undefined, SmallCatalogue.withCoin());
    await native.follow();
    native.chain.mineEmpty(120);

    expect(await readBlocksPerIteration(payments)).toEqual([50, 100, 200, 200, 50]);
    expect(await readBlocksPerIteration(native)).toEqual([50, 50, 20]);
    await native.close();
  });

  it('ends the requests that become final together in several iterations', async () => {
    await storeOpenRequests(payments, 600);
    const addresses = await payments.database.query<{ address: string }>(
      'SELECT address FROM payments.deposit_addresses',
    );
    payments.chain.mine(...addresses.map((owner) => pay(owner, 1000)));
    await payments.follow();
    payments.chain.mineEmpty(10);

    const more = await payments.turn();
    const [{ n: first }] = await ended();
    await payments.follow();
    const [{ n: all }] = await ended();

    expect([more, first, all]).toEqual([true, 500, 600]);
  });

  const ended = async () =>
    (await payments.database.query<{ n: number }>(
      `SELECT count(*) AS n FROM payments.payment_requests WHERE status = 'completed'`,
    )) as [{ n: number }];
});
