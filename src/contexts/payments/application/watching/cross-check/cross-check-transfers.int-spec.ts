import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import {
  COIN,
  CONFIRMATIONS,
  DOLLAR,
  NETWORK,
  SmallCatalogue,
} from '#contexts/payments/testing/requests/collecting-world.js';
import type { Sent } from '#contexts/payments/testing/watching/model-block.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';

let payments: Payments;
async function open(catalogue: SmallCatalogue): Promise<void> {
  payments = await openPayments(CONFIRMATIONS, catalogue);
  await payments.follow();
}
afterEach(() => payments.close());

describe('A transfer too large for one endpoint, in a block that became final by that one', () => {
  beforeEach(() => open(SmallCatalogue.withAgreementAbove(5_000_000n)));

  it('goes on waiting while the second endpoint that comes does not show it', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(CONFIRMATIONS);
    await payments.follow();
    const other = payments.chain.anotherEndpoint();
    other.holds = (_network, _hash, transfers) => Promise.resolve(transfers.map(() => false));
    payments.secondEndpoint.others.set(NETWORK, other);

    await payments.follow();
    const { finalNumber } = (await payments.watched.cursor(NETWORK))!;

    const { status, transfers } = await payments.read(request);
    expect(finalNumber).toBeGreaterThanOrEqual(transfers[0]!.blockNumber);
    expect([status, transfers[0]!.final]).toEqual(['processing', false]);
  });
});

/** More than there are receipts asked for in a turn. */
const MANY = 45;

async function coinRequests(count: number): Promise<PaymentRequestView[]> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [COIN.uniqueAssetId] });
  const wanted = { amount: '2', uniqueAssetId: COIN.uniqueAssetId };
  return Promise.all(Array.from({ length: count }, () => payments.request(wanted, point)));
}

function internal({ address }: PaymentRequestView, amount = 1n): Sent {
  return { to: address, amount, token: COIN.token, kind: 'internal' };
}

async function waiting(): Promise<number> {
  const rows = await payments.database.query(
    'SELECT 1 FROM payments.transfers WHERE canonical AND awaits_cross_check',
  );
  return rows.length;
}

/** Records which balances an endpoint is asked for, as [block, addresses]. */
function watch(endpoint: Payments['chain']): [string, readonly string[]][] {
  const asked: [string, readonly string[]][] = [];
  const honest = endpoint.balances.bind(endpoint);
  endpoint.balances = (network, hash, addresses) => {
    asked.push([hash, addresses]);
    return honest(network, hash, addresses);
  };
  return asked;
}

describe('An internal transfer that waits for its cross-check', () => {
  beforeEach(() => open(SmallCatalogue.withCoin()));

  it('is confirmed by the next turn, whatever waits before it, by one question to each endpoint', async () => {
    const other = payments.chain.anotherEndpoint();
    payments.secondEndpoint.others.set(NETWORK, other);
    const requests = await coinRequests(MANY);
    const [honest] = await coinRequests(1);
    payments.chain.mine(...requests.map((each) => internal(each)));
    payments.chain.mine(...requests.map((each) => internal(each)), internal(honest!, 2n * 10n ** 18n));
    payments.chain.mineEmpty(6);
    await payments.turn();
    const before = await waiting();
    const asked = [watch(payments.chain), watch(other)];

    await payments.turn();

    expect([before, await waiting()]).toEqual([2 * MANY + 1, 0]);
    for (const questions of asked) {
      expect(questions.map(([, addresses]) => new Set(addresses).size)).toEqual([MANY + 1]);
      expect(questions[0]![1]).toHaveLength(MANY + 1);
    }
    await payments.follow();
    expect((await payments.read(honest!)).status).toBe('completed');
  });

  it('waits on where the balances of its block are unknown, and keeps no other block waiting', async () => {
    const [early, late] = await coinRequests(2);
    payments.chain.mine(internal(early!));
    payments.chain.mineEmpty(6);
    const last = payments.chain.mine(internal(late!));
    await payments.turn();
    payments.chain.beforeAnswer = (question, about) => {
      if (question === 'balances' && about === last.hash)
        throw new ChainUnavailable(NETWORK, 'it does not have that block');
    };

    await payments.turn();

    const [told, untold] = await Promise.all([early!, late!].map(payments.read));
    expect(told!.transfers[0]).not.toMatchObject({ awaitsCrossCheck: true });
    expect(untold!.transfers[0]).toMatchObject({ awaitsCrossCheck: true });
  });

  it('is judged by its own balance only: what is refuted beside it takes nothing from it', async () => {
    const [real, pretended] = await coinRequests(2);
    const honest = payments.chain.balances.bind(payments.chain);
    const lied = pretended!.address.toLowerCase();
    payments.chain.balances = async (network, hash, addresses) =>
      (await honest(network, hash, addresses)).map((told, i) => (addresses[i] === lied ? told + 5n : told));
    payments.chain.mine(internal(real!, COIN.minimumAmount));
    payments.chain.mineEmpty(4);
    await payments.turn();
    payments.chain.balances = honest;

    await payments.turn();

    expect(await payments.read(real!)).toMatchObject({
      receivedAmount: COIN.minimumAmount,
      transfers: [{ amount: COIN.minimumAmount }],
    });
    expect(await payments.read(pretended!)).toMatchObject({ receivedAmount: 0n, transfers: [] });
    expect(await waiting()).toBe(0);
  });
});

describe('Many that no endpoint confirms', () => {
  it('keep neither a receipt behind them waiting nor, in the same turn, an internal transfer', async () => {
    await open(new SmallCatalogue(undefined, [{ ...DOLLAR, crossCheckAbove: 5_000_000n }, COIN]));
    const large = await Promise.all(Array.from({ length: MANY }, () => payments.request()));
    const [coins] = await coinRequests(1);
    payments.chain.mine(...large.map((each) => pay(each, 1000)), internal(coins!));
    await payments.follow();
    const last = large.at(-1)!.address.toLowerCase();
    const other = payments.chain.anotherEndpoint();
    other.holds = (_network, _hash, told) => Promise.resolve(told.map(({ to }) => to === last));
    payments.secondEndpoint.others.set(NETWORK, other);

    const watcher = payments.watcher();
    const left = [];
    for (let turn = 1; turn <= 3; turn += 1) {
      await watcher.execute(NETWORK, payments.epoch);
      left.push(await waiting());
    }

    expect((await payments.read(coins!)).transfers[0]).not.toMatchObject({ awaitsCrossCheck: true });
    expect(left).toEqual([MANY, MANY, MANY - 1]);
  });
});
