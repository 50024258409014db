import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import {
  COIN,
  CONFIRMATIONS,
  DOLLAR,
  NETWORK,
  SmallCatalogue,
} from '#contexts/payments/testing/requests/collecting-world.js';
import type { SentMovement } from '../../testing/model-block.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';

let payments: Payments;
async function openPaymentsWith(catalogue: SmallCatalogue): Promise<void> {
  payments = await openPayments(CONFIRMATIONS, catalogue);
  await payments.follow();
}
afterEach(() => payments.close());

/** More transfers than one iteration cross-checks by receipt. */
const WAITING_TRANSFERS = 45;

async function openCoinRequests(count: number): Promise<PaymentRequestView[]> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [COIN.uniqueAssetId] });
  const wanted = { amount: '2', uniqueAssetId: COIN.uniqueAssetId };
  return Promise.all(Array.from({ length: count }, () => payments.request(wanted, point)));
}

function internalMovement({ address }: PaymentRequestView, amount = 1n): SentMovement {
  return { to: address, amount, token: COIN.token, kind: 'internal' };
}

async function countWaitingTransfers(): Promise<number> {
  const rows = await payments.database.query(
    'SELECT 1 FROM payments.transfers WHERE canonical AND awaits_cross_check',
  );
  return rows.length;
}

/** Records the balance queries that an endpoint receives, as [block, addresses]. */
function recordBalanceQueries(endpoint: Payments['chain']): [string, readonly string[]][] {
  const asked: [string, readonly string[]][] = [];
  const honest = endpoint.balances.bind(endpoint);
  endpoint.balances = (hash, addresses) => {
    asked.push([hash, addresses]);
    return honest(hash, addresses);
  };
  return asked;
}

describe('An internal transfer that awaits its cross-check', () => {
  beforeEach(() => openPaymentsWith(SmallCatalogue.withCoin()));

  it('is confirmed in the next iteration by one question to each endpoint', async () => {
    const other = payments.chain.anotherEndpoint();
    payments.secondEndpoint.others.set(NETWORK, other);
    const requests = await openCoinRequests(WAITING_TRANSFERS);
    const [honest] = await openCoinRequests(1);
    payments.chain.mine(...requests.map((each) => internalMovement(each)));
    payments.chain.mine(
      ...requests.map((each) => internalMovement(each)),
      internalMovement(honest!, 2n * 10n ** 18n),
    );
    payments.chain.mineEmpty(6);
    await payments.turn();
    const before = await countWaitingTransfers();
    const asked = [recordBalanceQueries(payments.chain), recordBalanceQueries(other)];

    await payments.turn();

    expect([before, await countWaitingTransfers()]).toEqual([2 * WAITING_TRANSFERS + 1, 0]);
    for (const questions of asked) {
      expect(questions.map(([, addresses]) => new Set(addresses).size)).toEqual([WAITING_TRANSFERS + 1]);
      expect(questions[0]![1]).toHaveLength(WAITING_TRANSFERS + 1);
    }
    await payments.follow();
    expect((await payments.read(honest!)).status).toBe('completed');
  });

  it('is evaluated by its own balance only', async () => {
    const [real, pretended] = await openCoinRequests(2);
    const honest = payments.chain.balances.bind(payments.chain);
    const lied = pretended!.address.toLowerCase();
    payments.chain.balances = async (hash, addresses) =>
      (await honest(hash, addresses)).map((told, i) => (addresses[i] === lied ? told + 5n : told));
    payments.chain.mine(internalMovement(real!, COIN.minimumAmount));
    payments.chain.mineEmpty(4);
    await payments.turn();
    payments.chain.balances = honest;

    await payments.turn();

    expect(await payments.read(real!)).toMatchObject({
      receivedAmount: COIN.minimumAmount,
      transfers: [{ amount: COIN.minimumAmount }],
    });
    expect(await payments.read(pretended!)).toMatchObject({ receivedAmount: 0n, transfers: [] });
    expect(await countWaitingTransfers()).toBe(0);
  });
});

describe('A large number of transfers that no endpoint confirms', () => {
  it('delays neither later receipts nor internal transfers', async () => {
    await openPaymentsWith(new SmallCatalogue(undefined, [{ ...DOLLAR, crossCheckAbove: 5_000_000n }, COIN]));
    const large = await Promise.all(Array.from({ length: WAITING_TRANSFERS }, () => payments.request()));
    const [coins] = await openCoinRequests(1);
    payments.chain.mine(...large.map((each) => pay(each, 1000)), internalMovement(coins!));
    await payments.follow();
    const last = large.at(-1)!.address.toLowerCase();
    const other = payments.chain.anotherEndpoint();
    other.containsTransfers = (_hash, told) => Promise.resolve(told.map(({ to }) => to === last));
    payments.secondEndpoint.others.set(NETWORK, other);

    const watcher = payments.watcher();
    const left = [];
    for (let turn = 1; turn <= 3; turn += 1) {
      await watcher.follow(NETWORK, payments.epoch);
      left.push(await countWaitingTransfers());
    }

    expect((await payments.read(coins!)).transfers[0]).not.toMatchObject({ awaitsCrossCheck: true });
    expect(left).toEqual([WAITING_TRANSFERS, WAITING_TRANSFERS, WAITING_TRANSFERS - 1]);
  });
});

describe('A transfer at or above the cross-check threshold', () => {
  beforeEach(() => openPaymentsWith(SmallCatalogue.withAgreementAbove(5_000_000n)));

  it('does not become final above it before a second endpoint confirms block and receipt', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineBeyond(new Date(request.expiresAt.getTime() + 300_000));
    await payments.follow();
    const seen = [await payments.read(request)];
    const other = payments.chain.anotherEndpoint();
    const holds = other.containsTransfers.bind(other);
    payments.secondEndpoint.others.set(NETWORK, other);
    other.containsTransfers = (_hash, transfers) => Promise.resolve(transfers.map(() => false));
    await payments.follow();
    seen.push(await payments.read(request));
    other.containsTransfers = () => Promise.reject(new ChainUnavailable(NETWORK, 'no connection'));
    await payments.follow();
    seen.push(await payments.read(request));

    other.containsTransfers = holds;
    await payments.follow();
    seen.push(await payments.read(request));

    const waiting = ['processing', false];
    expect(seen.map(({ status, transfers }) => [status, transfers[0]!.final])).toEqual([
      ...[waiting, waiting, waiting],
      ['completed', true],
    ]);
  });

  it('counts by the answer of one endpoint at exactly the threshold', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 500), pay(request, 500));
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('completed');
  });
});
