import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NETWORK, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { storeOpenRequests } from '#contexts/payments/testing/requests/store-open-requests.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

describe('Catching up', () => {
  it('gets there through a node that answers no more than twelve questions a turn', async () => {
    const request = await payments.request();
    payments.chain.mineEmpty(3);
    payments.chain.mine(pay(request, 1));
    payments.chain.mineEmpty(76);
    let left = 0;
    payments.chain.beforeAnswer = () => {
      if ((left -= 1) < 0) throw new ChainUnavailable(NETWORK, 'HTTP status 429');
    };
    const watcher = payments.watcher();
    let [turns, read] = [0, 0];

    while (read < payments.chain.tip.number && turns < 200) {
      left = 12;
      turns += 1;
      await watcher.execute(NETWORK, payments.epoch).catch((error: unknown) => {
        if (!(error instanceof ChainUnavailable)) throw error;
      });
      read = (await payments.watched.cursor(NETWORK))!.head.number;
    }

    expect(read).toBe(payments.chain.tip.number);
    expect((await payments.read(request)).receivedAmount).toBe(10_000n);
  });
});

/** How many blocks each turn of one watcher reads, until there is nothing more to read. */
async function blocksByTurn(of: Payments): Promise<number[]> {
  const watcher = of.watcher();
  const counts: number[] = [];
  const readTo = async () => (await of.watched.cursor(NETWORK))!.head.number;
  for (let before = await readTo(); before < of.chain.tip.number; before = await readTo()) {
    await watcher.execute(NETWORK, of.epoch);
    counts.push((await readTo()) - before);
  }
  return counts;
}

describe('Following a chain from far behind its head', () => {
  it('reads more blocks in each turn while there is little in them', async () => {
    payments.chain.mineEmpty(600);

    expect(await blocksByTurn(payments)).toEqual([50, 100, 200, 200, 50]);
  });

  it('reads no more than usual where the balances of every block may have to be asked for', async () => {
    const native = await openPayments(undefined, SmallCatalogue.withCoin());
    await native.follow();
    native.chain.mineEmpty(120);

    expect(await blocksByTurn(native)).toEqual([50, 50, 20]);
    await native.close();
  });

  it('decides what is final in the blocks that it has read, without waiting to reach the head', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(200);

    await payments.turn();
    await payments.turn();

    expect((await payments.watched.cursor(NETWORK))!.head.number).toBeLessThan(payments.chain.tip.number);
    expect((await payments.read(request)).status).toBe('completed');
  });

  it('ends however many requests become final at once, some in each turn', async () => {
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

describe('Dust on a deposit address', () => {
  it('is saved once, not again with each block', async () => {
    const request = await payments.request();
    payments.chain.mine(...Array.from({ length: 150 }, () => pay(request, 1)));
    await payments.follow();
    const versions = () =>
      payments.database.query(`SELECT xmin::text FROM payments.transfers WHERE block_number = 1 LIMIT 150`);
    const before = await versions();

    payments.chain.mine(pay(request, 1));
    await payments.follow();

    const read = await payments.read(request);
    expect(await versions()).toEqual(before);
    expect([read.transfers.length, read.receivedAmount]).toEqual([100, 1_510_000n]);
  });
});
