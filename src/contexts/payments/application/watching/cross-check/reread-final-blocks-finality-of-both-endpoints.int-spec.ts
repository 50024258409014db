import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { ChainModel } from '#contexts/payments/testing/watching/chain-model.js';
import { CONFIRMATIONS, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

let payments: Payments;
let other: ChainModel;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
  other = payments.chain.anotherEndpoint();
  payments.secondEndpoint.others.set(NETWORK, other);
});
afterEach(() => payments.close());

const cursor = async () => (await payments.watched.cursor(NETWORK))!;

/** The endpoint that is read from says that its newest block is final already. */
function hurry(): void {
  const honest = payments.chain.head.bind(payments.chain);
  payments.chain.head = async () => {
    const { head } = await honest();
    return { head, finalNumber: head.number };
  };
}

describe('The depth from which a block is final', () => {
  it('is not taken from an endpoint for which its newest block is final', async () => {
    hurry();
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    await payments.follow();
    payments.chain.mine();
    await payments.follow();
    const early = await payments.read(request);

    payments.chain.mine();
    await payments.follow();

    expect([early.status, early.transfers[0]!.final]).toEqual(['processing', false]);
    expect((await payments.read(request)).status).toBe('completed');
  });

  it('is not taken from an endpoint that has blocks on top which no other has', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(9);
    other.lag(8);
    await payments.follow();
    const early = await payments.read(request);

    other.lag(7);
    await payments.follow();

    expect([early.status, early.transfers[0]!.final]).toEqual(['processing', false]);
    expect([(await payments.read(request)).status, (await cursor()).finalNumber]).toEqual(['completed', 1]);
  });

  it('is taken from the endpoint that is read from, not from one for which more is final', async () => {
    const request = await payments.request();
    payments.chain.lag(2);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(4);
    await payments.follow();

    expect((await cursor()).finalNumber).toBe(1);
  });

  it('is taken from one endpoint alone only while no other can be asked', async () => {
    payments.chain.mineEmpty(10);
    payments.secondEndpoint.isAway = true;
    payments.secondEndpoint.others.clear();
    await payments.follow();

    expect((await cursor()).finalNumber).toBe(10 - CONFIRMATIONS + 1);
  });
});

describe('An endpoint that lags', () => {
  it('delays finality by as much as it lags, without a word, and not the reading', async () => {
    other.lag(1);
    const finalNumbers: unknown[] = [];
    for (let block = 1; block <= 6; block += 1) {
      payments.chain.mine();
      await payments.follow();
      const { head, finalNumber, disagreement } = await cursor();
      finalNumbers.push([head.number - finalNumber!, disagreement]);
    }

    // Nothing is before the first block; then one more than the confirmations.
    expect(finalNumbers).toEqual([1, 2, 3, 3, 3, 3].map((depth) => [depth, null]));
    expect(payments.alerts.noted).toEqual([]);
  });

  it('is asked again when the next turn is due, not at once', async () => {
    payments.chain.mineEmpty(5);
    other.lag(1);
    const partly = await payments.follow();
    payments.chain.mine();
    other.lag(2);
    const notAtAll = await payments.follow();

    // The first of these two turns reads, the second one reads again.
    expect([partly, notAtAll, (await cursor()).finalNumber]).toEqual([2, 1, 2]);
  });

  it('is left alone where it does not know the block yet that would become final next', async () => {
    payments.chain.mineEmpty(10);
    await payments.follow();
    payments.chain.mine();
    other.lag(3);

    await payments.turn();

    expect(payments.alerts.noted).toEqual([`finality waits for ${11 - CONFIRMATIONS + 1}`]);
  });

  it('is alerted once it has held finality up for long', async () => {
    payments.chain.mineEmpty(10);
    other.lag(9);
    await payments.follow();
    const watcher = payments.watcher();
    const turns = async (count: number) => {
      for (let turn = 1; turn <= count; turn += 1) await watcher.execute(NETWORK, payments.epoch);
      return payments.alerts.noted.length;
    };

    const before = await turns(99);
    other.lag(7);
    const afterMore = await turns(100);
    await turns(1);

    expect([before, afterMore, payments.alerts.noted]).toEqual([0, 0, ['finality waits for 2']]);
  });
});

describe('An endpoint for which nothing more is final', () => {
  it('disagrees at once where it stands on another fork', async () => {
    const fork = new ChainModel((await payments.watched.block(NETWORK, 0))!.time, CONFIRMATIONS, 60);
    fork.mine();
    fork.takeBack(1);
    fork.mine();
    payments.secondEndpoint.others.set(NETWORK, fork);
    payments.chain.mineEmpty(5);
    await payments.follow();

    expect((await cursor()).disagreement).toMatch(
      /another endpoint has block 0x[0-9a-f]+ at height 1, where/,
    );
  });

  it('keeps finality waiting, and not the reading, while it does not answer that question', async () => {
    payments.chain.mineEmpty(5);
    other.beforeAnswer = (question) => {
      if (question === 'head') throw new ChainUnavailable(NETWORK, 'HTTP status 503');
    };
    await payments.follow();

    expect([(await cursor()).head.number, (await cursor()).finalNumber]).toEqual([5, 0]);
    expect(payments.alerts.noted).toContain('finality waits for 1');
  });
});
