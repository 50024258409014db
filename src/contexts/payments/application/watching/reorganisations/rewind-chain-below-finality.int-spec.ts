import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { CONFIRMATIONS, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { ChainModel } from '#contexts/payments/testing/watching/chain-model.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

const cursor = async () => (await payments.watched.cursor(NETWORK))!;

/** A request paid and final; then the endpoint that is read has a longer fork without its payment. */
async function finalMoneyGone() {
  const request = await payments.request();
  payments.chain.mine(pay(request, 1000));
  payments.chain.mineEmpty(5);
  await payments.follow();
  const before = await cursor();
  payments.chain.takeBack(6);
  payments.chain.mineEmpty(9);
  return { request, before };
}

/** Another endpoint of the fork that is read, for which nothing was ever final. */
const ofTheFork = () => payments.chain.anotherEndpoint();

/** One that still is on the chain that was read before, or has only so much of any. */
function stuckAt(height: number): ChainModel {
  const model = new ChainModel(payments.chain.tip.time, CONFIRMATIONS, 30);
  model.block = (network, number) =>
    number > height ? Promise.resolve(null) : payments.watched.block(network, number);
  return model;
}

describe('What was final and is gone at the endpoint that is read', () => {
  it.each([
    ['is away', () => (payments.secondEndpoint.isAway = true)],
    ['lacks that block', () => payments.secondEndpoint.others.set(NETWORK, stuckAt(3))],
    [
      'does not answer',
      () => {
        const other = ofTheFork();
        other.beforeAnswer = () => {
          throw new ChainUnavailable(NETWORK, 'HTTP status 503');
        };
        payments.secondEndpoint.others.set(NETWORK, other);
      },
    ],
  ])('is not reversed while the second endpoint %s', async (_, inTrouble) => {
    const { request, before } = await finalMoneyGone();

    inTrouble();
    for (let turns = 0; turns < 3; turns += 1)
      await expect(payments.turn()).rejects.toBeInstanceOf(ChainUnavailable);

    expect(await cursor()).toEqual(before);
    const read = await payments.read(request);
    expect([read.status, read.transfers]).toMatchObject(['completed', [{ counted: true, final: true }]]);
    expect(payments.alerts.noted.filter((noted) => noted.endsWith('disappeared'))).toEqual([]);
  });

  it('says why nothing goes on', async () => {
    await finalMoneyGone();
    payments.secondEndpoint.isAway = true;

    await expect(payments.turn()).rejects.toThrow(
      'a second endpoint must confirm that block 4, which was final, is no longer on the chain.',
    );
  });

  it('is reversed once the second endpoint is back and says the same', async () => {
    const { request } = await finalMoneyGone();
    payments.secondEndpoint.isAway = true;
    await expect(payments.turn()).rejects.toBeInstanceOf(ChainUnavailable);

    payments.secondEndpoint.isAway = false;
    payments.secondEndpoint.others.set(NETWORK, ofTheFork());
    await payments.follow();

    expect((await payments.read(request)).transfers).toMatchObject([{ counted: false }]);
    expect(payments.alerts.noted).toContain(`credited transfer of ${request.id} disappeared`);
  });

  it('is reversed by the only endpoint that is configured', async () => {
    const { request } = await finalMoneyGone();

    await payments.follow();

    expect((await payments.read(request)).transfers).toMatchObject([{ counted: false }]);
  });
});

describe('What was not final yet', () => {
  it('is taken back while the second endpoint is away', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    await payments.follow();

    payments.secondEndpoint.isAway = true;
    payments.chain.takeBack(1);
    payments.chain.mineEmpty(2);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.receivedAmount, read.transfers]).toEqual([0n, []]);
  });
});
