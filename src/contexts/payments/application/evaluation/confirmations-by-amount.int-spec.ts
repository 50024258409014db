import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Network } from '#contexts/networks/contract/network-catalogue.js';
import { ChainsByNetwork } from '#contexts/chain-watching/testing/chains-by-network.js';
import { newWatcher } from '#contexts/chain-watching/testing/new-watcher.js';
import { sentPayout } from '#contexts/chain-watching/testing/model-block.js';
import {
  CONFIRMATIONS,
  DOLLAR,
  EURO,
  NETWORK,
  SmallCatalogue,
} from '../../testing/requests/collecting-world.js';
import { openCheckouts, payAll, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';
import type { PaymentRequestView } from '../requests/payment-request-view.js';

let payments: Checkouts;
beforeEach(async () => {
  payments = await openCheckouts(SmallCatalogue.withConfirmationsByAmount());
});
afterEach(() => payments.close());

const countDeposits = async () =>
  (
    await payments.database.query(
      `SELECT FROM platform.events WHERE type = 'payment_request.deposit_received'`,
    )
  ).length;
const statusOf = async (request: PaymentRequestView) => (await payments.read(request)).status;

/** The newest block that an endpoint has tagged. Blocks are tagged by all endpoints unless another one is named. */
async function tag(tag: 'safe' | 'finalized', number: number, endpoint = payments.chain): Promise<void> {
  endpoint.tags[tag] = number;
  await payments.follow();
}

async function pastDepthOf(...sent: ReturnType<typeof pay>[]): Promise<number> {
  const { number } = payments.chain.mine(...sent);
  payments.chain.mineEmpty(CONFIRMATIONS - 1);
  await payments.follow();
  return number;
}

describe('A payment on a network with confirmations by amount', () => {
  it.each([
    ['the smallest amounts, after their number of blocks', '10.00', ['completed', 'completed', 'completed']],
    ['larger amounts, when their block is safe', '10.01', ['processing', 'completed', 'completed']],
    [
      'the largest amounts, when their block is finalized',
      '100.01',
      ['processing', 'processing', 'completed'],
    ],
  ])('ends for %s', async (_, amount, expected) => {
    const request = await payments.request({ amount });

    const block = await pastDepthOf(pay(request, Number(amount) * 100));
    const seen = [await statusOf(request)];
    await tag('safe', block);
    seen.push(await statusOf(request));
    await tag('finalized', block);
    seen.push(await statusOf(request));

    expect(seen).toEqual(expected);
  });

  it.each([
    ['10.00', 'completed'],
    ['10.01', 'processing'],
  ])('counts at its value by the locked rate in another asset: %s dollars', async (amount, status) => {
    const checkout = await payments.select(await payments.checkout({ amount }), EURO);

    await pastDepthOf(payAll(checkout, EURO));

    expect((await payments.session(checkout))!.status).toBe(status);
  });

  it('waits for the strictest requirement if its asset has no value in the currency of the table', async () => {
    const inEuros = { amount: '1.00', uniqueAssetId: EURO.uniqueAssetId };
    const request = await payments.request(inEuros, payments.shop);

    const block = await pastDepthOf(pay(request, 100, EURO.token));
    await tag('safe', block);
    const safe = await statusOf(request);
    await tag('finalized', block);

    expect([safe, await statusOf(request)]).toEqual(['processing', 'completed']);
  });

  it('waits as for the whole amount if it is sent in parts', async () => {
    const request = await payments.request({ amount: '20.00' });

    const block = await pastDepthOf(pay(request, 1000), pay(request, 1000));
    const before = await statusOf(request);
    await tag('safe', block);

    expect([before, await statusOf(request)]).toEqual(['processing', 'completed']);
  });

  it('is not decided by a later, smaller transfer before the larger one is safe', async () => {
    const request = await payments.request({ amount: '10.00' });

    await pastDepthOf(pay(request, 2000));
    await pastDepthOf(pay(request, 1000));

    expect(await statusOf(request)).toBe('processing');
  });

  it('is posted as a deposit only when its block has the tag, if it came after the outcome', async () => {
    const request = await payments.request();
    await pastDepthOf(pay(request, 1000));
    const block = await pastDepthOf(pay(request, 5000));
    const before = await countDeposits();
    await tag('safe', block);

    expect([before, await countDeposits()]).toEqual([0, 1]);
  });
});

describe('The tag of a block', () => {
  let request: PaymentRequestView;
  let block: number;
  beforeEach(async () => {
    request = await payments.request({ amount: '50.00' });
    block = await pastDepthOf(pay(request, 5000));
  });

  it('counts up to the lower of the blocks of two endpoints', async () => {
    const other = payments.chain.anotherEndpoint();
    payments.secondEndpoint.others.set(NETWORK, other);

    await tag('safe', block);
    const byOne = await statusOf(request);
    await tag('safe', block - 1, other);
    const byLower = await statusOf(request);
    await tag('safe', block, other);

    expect([byOne, byLower, await statusOf(request)]).toEqual(['processing', 'processing', 'completed']);
  });

  it('counts up to the newest block that was read, if an endpoint has tagged a newer one', async () => {
    payments.chain.mineEmpty(1);
    payments.chain.beforeAnswer = (question) => {
      if (question === 'head') payments.chain.tags.safe = payments.chain.tip.number;
    };

    await payments.follow();
    payments.chain.mineEmpty(1);
    await payments.follow();

    expect(await statusOf(request)).toBe('completed');
  });

  it('is that of the finalized block while a safe block does not advance', async () => {
    await tag('safe', block - 1);
    await tag('finalized', block);

    expect(await statusOf(request)).toBe('completed');
  });

  it('counts for nothing on another fork', async () => {
    const fork = payments.chain.anotherEndpoint();
    fork.headerByTag = async () => ({ ...payments.chain.tip, hash: `0x${'f'.repeat(64)}` });
    payments.secondEndpoint.others.set(NETWORK, fork);

    await tag('safe', block);

    expect(await statusOf(request)).toBe('processing');
  });

  it('delays no smaller payment while an endpoint does not return it', async () => {
    const small = await payments.request();
    payments.chain.headerByTag = () => Promise.reject(new ChainUnavailable(NETWORK, 'HTTP status 503'));

    await pastDepthOf(pay(small, 1000));

    expect([await statusOf(small), await statusOf(request)]).toEqual(['completed', 'processing']);
  });

  it('moves back with the chain', async () => {
    await tag('finalized', block + 1);
    payments.chain.tags.finalized = -1;
    payments.chain.removeNewestBlocks(CONFIRMATIONS);
    payments.chain.mineEmpty(CONFIRMATIONS + 2);
    await payments.follow();

    const [cursor] = await payments.database.query(
      'SELECT safe_number, finalized_number FROM payments.chain_cursors WHERE network = $1',
      [NETWORK],
    );

    expect(cursor).toEqual({ safeNumber: block - 1, finalizedNumber: block - 1 });
  });
});

describe('A payment that was accepted before finality', () => {
  const awaiting = async () =>
    (await payments.database.query('SELECT FROM payments.public_transfers_before_finality')).length;

  it('is settled only when its block is finalized', async () => {
    const request = await payments.request();

    const block = await pastDepthOf(pay(request, 1000));
    const before = await awaiting();
    await tag('safe', block);
    const safe = await awaiting();
    await tag('finalized', block);

    expect([await statusOf(request), before, safe, await awaiting()]).toEqual(['completed', 1, 1, 0]);
  });

  it('is reversed and held if a reorganization removes it, and a deposit if it is mined again', async () => {
    const request = await payments.request();
    const paid = { ...pay(request, 1000), transaction: 'paid once' };
    await pastDepthOf(paid);

    payments.chain.removeNewestBlocks(CONFIRMATIONS);
    payments.chain.mineEmpty(CONFIRMATIONS + 2);
    await payments.follow();
    const { transfers } = await payments.read(request);
    await pastDepthOf(paid);

    const holds = await payments.database.query('SELECT network FROM payments.public_settlement_holds');
    expect([transfers, await countDeposits()]).toMatchObject([[{ counted: false }], 1]);
    expect(holds).toEqual([{ network: NETWORK }]);
    expect(payments.alerts.noted).toContain(`credited transfer of ${request.id} disappeared`);
  });

  it('has a payout that is final only when the block of the payout is finalized', async () => {
    const request = await payments.request();
    await tag('finalized', await pastDepthOf(pay(request, 1000)));
    const isFinal = async () =>
      (await payments.database.query<{ final: boolean }>('SELECT final FROM payments.payouts'))[0]?.final;

    const block = payments.chain.mine(sentPayout(request, DOLLAR.token, 10_000_000n)).number;
    payments.chain.mineEmpty(CONFIRMATIONS);
    await payments.follow();
    const before = await isFinal();
    await tag('finalized', block);

    expect([before, await isFinal()]).toEqual([false, true]);
  });
});

describe('A table of confirmations that changes while payments wait', () => {
  const FINALITY = 60;
  const finality = { kind: 'confirmations', confirmations: FINALITY } as const;
  const [network] = new SmallCatalogue().networks() as [Network];
  const withoutTable = new SmallCatalogue([{ ...network, finality }]);
  const depths = [{ upTo: 10_000_000n, confirmations: CONFIRMATIONS }, { confirmations: FINALITY }];
  const withTable = new SmallCatalogue(
    [{ ...network, finality, acceptedAfter: CONFIRMATIONS }],
    [{ ...DOLLAR, depths }, EURO],
  );
  let world: Payments;
  const openWith = async (catalogue: SmallCatalogue) => {
    world = await openPayments(CONFIRMATIONS, catalogue);
    world.chain.blockSeconds = 1;
    await world.follow();
  };
  afterEach(() => world.close());
  const status = async (request: PaymentRequestView) => (await world.read(request)).status;
  const awaitingSettlement = async () =>
    (await world.database.query('SELECT FROM payments.public_transfers_before_finality')).length;
  /** Restarts the watcher with another configuration. */
  async function follow(catalogue: SmallCatalogue): Promise<void> {
    const { database, platform, watched, requests, alerts, chain } = world;
    const chains = new ChainsByNetwork(new Map([[NETWORK, chain]]));
    const parts = { chains, database, clock: platform.clock, catalogue, watched, requests, alerts };
    while (await newWatcher(parts).follow(NETWORK, world.epoch));
  }

  it('completes nothing when it is added, but the small payments that come later', async () => {
    await openWith(withoutTable);
    const before = await world.request({ amount: '5.00' });
    world.chain.mine(pay(before, 500));
    world.chain.mineEmpty(30);
    await follow(withoutTable);

    const after = await world.request({ amount: '5.00' });
    world.chain.mine(pay(after, 500));
    world.chain.mineEmpty(CONFIRMATIONS);
    await follow(withTable);
    const statuses = [await status(before), await status(after)];
    world.chain.mineEmpty(FINALITY);
    await follow(withTable);

    expect([statuses, await status(before)]).toEqual([['processing', 'completed'], 'completed']);
  });

  it('completes and settles nothing when it is removed', async () => {
    await openWith(withTable);
    const [small, large, later] = [
      await world.request(),
      await world.request({ amount: '50.00' }),
      await world.request(),
    ];
    world.chain.mine(pay(small, 1000), pay(large, 5000));
    world.chain.mineEmpty(CONFIRMATIONS + 5);
    await follow(withTable);

    world.chain.mine(pay(later, 1000));
    world.chain.mineEmpty(CONFIRMATIONS);
    await follow(withoutTable);
    const statuses = [await status(small), await status(large), await status(later)];
    const awaiting = await awaitingSettlement();
    world.chain.mineEmpty(2 * FINALITY);
    await follow(withoutTable);

    expect([statuses, awaiting]).toEqual([['completed', 'processing', 'processing'], 1]);
    expect([await status(large), await status(later), await awaitingSettlement()]).toEqual([
      'completed',
      'completed',
      0,
    ]);
  });
});
