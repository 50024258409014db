import { PostgresRequestsToEvaluate } from '../../infrastructure/evaluation/postgres-requests-to-evaluate.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  DOLLAR,
  NETWORK,
  OTHER_DOLLAR,
  OTHER_GRACE_SECONDS,
  OTHER_NETWORK,
} from '../../testing/requests/collecting-world.js';
import { openCheckouts, payAll, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { pay } from '../../testing/requests/open-payments.js';
import type { CheckoutView } from '../requests/payment-request-view.js';

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
});
afterEach(() => checkouts.close());

const networks = [NETWORK, OTHER_NETWORK];

/** Reads the network past the payment window and the longest grace period, until these blocks are final. */
async function readPast({ expiresAt }: CheckoutView, network: string, more = 0): Promise<void> {
  const chain = checkouts.chainOf(network);
  chain.mineBeyond(new Date(expiresAt.getTime() + OTHER_GRACE_SECONDS * 1_000));
  chain.mineEmpty(more);
  await checkouts.follow(network);
}

async function status(checkout: CheckoutView): Promise<string> {
  return (await checkouts.session(checkout))!.status;
}

async function selectOnBothNetworks() {
  const checkout = await checkouts.checkout();
  const earlier = await checkouts.select(checkout, OTHER_DOLLAR);
  return { earlier, latest: await checkouts.select(checkout, DOLLAR) };
}

async function ledgerSteps({ id }: CheckoutView): Promise<object[]> {
  const rows = await checkouts.platform.database.query<{ data: object }>(
    `SELECT data FROM platform.events WHERE aggregate_id = $1 AND type = 'payment_request.confirmed'`,
    [id],
  );
  return rows.map(({ data }) => data);
}

describe('A payment to the address of an earlier selection', () => {
  it('completes the checkout by the amount and terms of that selection', async () => {
    const { earlier, latest } = await selectOnBothNetworks();
    const other = checkouts.chainOf(OTHER_NETWORK);

    other.mine(payAll(earlier, OTHER_DOLLAR));
    await checkouts.follow(OTHER_NETWORK);
    const seen = await checkouts.session(latest);
    other.mineEmpty(2);
    await checkouts.follow(OTHER_NETWORK);

    const done = await checkouts.session(latest);
    expect(latest.selected!.network).toBe(NETWORK);
    expect([seen!.status, seen!.selected!.uniqueAssetId]).toEqual(['processing', OTHER_DOLLAR.uniqueAssetId]);
    expect([done!.status, done!.selected!.address, done!.selected!.transfers.length]).toEqual([
      'completed',
      earlier.selected!.address,
      1,
    ]);
    expect(await ledgerSteps(latest)).toEqual([
      expect.objectContaining({
        network: OTHER_NETWORK,
        uniqueAssetId: OTHER_DOLLAR.uniqueAssetId,
        expectedAmount: '10000000',
        receivedAmount: '10000000',
        feeBasisPoints: 100,
        to: earlier.selected!.address.toLowerCase(),
      }),
    ]);
    expect(await checkouts.told(latest)).toEqual([
      'pending',
      'created',
      'processing',
      'completed',
      'ledger step',
    ]);
  });
});

describe('An unpaid checkout with addresses on two networks', () => {
  it('waits for the slower network and its grace', async () => {
    const { latest } = await selectOnBothNetworks();
    const ends = await checkouts.select(await checkouts.checkout(), DOLLAR);
    const other = checkouts.chainOf(OTHER_NETWORK);
    await checkouts.platform.advance(24 * 3600);

    for (let turn = 0; turn < 3; turn += 1) await readPast(latest, NETWORK, 5 * turn);
    const [still, ended] = [await status(latest), await status(ends)];
    other.mineAt(new Date(latest.expiresAt.getTime() + OTHER_GRACE_SECONDS * 1_000));
    await checkouts.follow(OTHER_NETWORK);
    await checkouts.follow(NETWORK);
    const atTheGrace = await status(latest);
    other.mine();
    await checkouts.follow(OTHER_NETWORK);
    await checkouts.follow(NETWORK);

    expect([still, atTheGrace, await status(latest)]).toEqual(['created', 'created', 'expired']);
    expect(ended).toBe('expired');
    expect(await checkouts.told(latest)).toEqual(['pending', 'created', 'expired']);
  });

  it('waits for finality on both networks after a payment was reorganized away', async () => {
    const { latest } = await selectOnBothNetworks();
    checkouts.chain.mine(payAll(latest, DOLLAR));
    await checkouts.follow();
    checkouts.chain.removeNewestBlocks(1);
    checkouts.chain.mine();
    await readPast(latest, NETWORK, 2);
    await readPast(latest, OTHER_NETWORK);
    await checkouts.follow(NETWORK);
    const before = await status(latest);
    const read = (await checkouts.watched.progress(networks)).get(NETWORK)!;
    const found = await new PostgresRequestsToEvaluate(checkouts.database).pastDeadline(
      NETWORK,
      [OTHER_NETWORK],
      read,
      10,
    );

    await readPast(latest, OTHER_NETWORK, 2);
    await checkouts.follow(NETWORK);

    expect([before, found, await status(latest)]).toEqual(['processing', [], 'expired']);
  });

  it('does not wait for a network that is no longer configured', async () => {
    const { latest } = await selectOnBothNetworks();

    checkouts.catalogue.withdrawNetwork(OTHER_NETWORK);
    await readPast(latest, NETWORK);

    expect(await status(latest)).toBe('expired');
  });
});

/** The session after the first selection, on the other network, and after the second selection. */
let firstSelection: CheckoutView;
let secondSelection: CheckoutView;

/** Selects an asset on each network, then pays 0.01 to the address of the first selection. */
async function payFirstSelection(): Promise<void> {
  ({ earlier: firstSelection, latest: secondSelection } = await selectOnBothNetworks());
  checkouts.chainOf(OTHER_NETWORK).mine(pay(firstSelection.selected!, 1, OTHER_DOLLAR.token));
  await checkouts.follow(OTHER_NETWORK);
}

/** Removes the block with the first payment. The payment is not mined again. */
async function loseFirstPayment(): Promise<void> {
  const other = checkouts.chainOf(OTHER_NETWORK);
  other.removeNewestBlocks(1);
  other.mineEmpty(2);
  await checkouts.turn(OTHER_NETWORK);
}

async function state(): Promise<unknown[]> {
  const { status, receivedAmount, asked } = await checkouts.read(secondSelection);
  return [status, asked!.network, receivedAmount];
}

async function countedByNetwork(): Promise<[network: string, counted: boolean][]> {
  const rows = await checkouts.platform.database.query<{ network: string; counted: boolean }>(
    'SELECT network, counted FROM payments.transfers WHERE payment_request_id = $1 ORDER BY detected_at, index',
    [secondSelection.id],
  );
  return rows.map((row) => [row.network, row.counted]);
}

describe('A first payment that is permanently reorganized away', () => {
  beforeEach(payFirstSelection);

  it('keeps the sum correct if the other payment disappears concurrently', async () => {
    checkouts.chain.mine(payAll(secondSelection, DOLLAR));
    await checkouts.follow(NETWORK);
    const mayGoOn = Promise.withResolvers<void>();
    const countedAgain = Promise.withResolvers<void>();
    checkouts.database.afterStatement = (text) => {
      if (!text.includes('INSERT INTO payments.received_sums')) return undefined;
      checkouts.database.afterStatement = () => undefined;
      countedAgain.resolve();
      return mayGoOn.promise;
    };
    const losing = loseFirstPayment();
    await countedAgain.promise;
    checkouts.chain.removeNewestBlocks(1);
    checkouts.chain.mineEmpty(2);

    const losingThat = checkouts.turn(NETWORK);
    await new Promise((resolve) => setTimeout(resolve, 200));
    mayGoOn.resolve();
    await Promise.all([losing, losingThat]);

    expect(await state()).toEqual(['processing', NETWORK, 0n]);
    expect((await countedByNetwork()).map(([, counts]) => counts)).toEqual([false, false]);
  });
});
