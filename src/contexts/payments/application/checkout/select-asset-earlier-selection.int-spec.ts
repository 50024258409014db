import { PostgresRequestsToJudge } from '../../infrastructure/watching/persistence/postgres-requests-to-judge.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  DOLLAR,
  ETHER,
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
afterEach(async () => {
  await checkouts.close();
});

const networks = [NETWORK, OTHER_NETWORK];

/** Reads the network past the window and the longest grace, and as many blocks more as make that final. */
async function readPast({ expiresAt }: CheckoutView, network: string, more = 0): Promise<void> {
  const chain = checkouts.chainOf(network);
  chain.mineBeyond(new Date(expiresAt.getTime() + OTHER_GRACE_SECONDS * 1_000));
  chain.mineEmpty(more);
  await checkouts.follow(network);
}

async function status(checkout: CheckoutView): Promise<string> {
  return (await checkouts.session(checkout))!.status;
}

/** One that was chosen for twice, an address on each network. */
async function chosenTwice() {
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

describe('A payer who sends to the address of an earlier choice', () => {
  it('completes the checkout on that network, by its amount and its terms', async () => {
    const { earlier, latest } = await chosenTwice();
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

  it('completes it in another asset at the same address', async () => {
    const checkout = await checkouts.checkout();
    const ether = await checkouts.select(checkout, ETHER);
    await checkouts.select(checkout, DOLLAR);

    checkouts.chain.mine(payAll(ether, ETHER));
    checkouts.chain.mineEmpty(2);
    await checkouts.follow();

    const done = await checkouts.session(checkout);
    expect([done!.status, done!.selected]).toEqual([
      'completed',
      expect.objectContaining({ currency: 'WETH' }),
    ]);
    expect(done!.selected!.receivedAmount).toBe(ether.selected!.amount);
  });

  it('and to both has paid what is full first; the rest is a deposit', async () => {
    const { earlier, latest } = await chosenTwice();
    checkouts.chainOf(OTHER_NETWORK).mine(pay(earlier.selected!, 400, OTHER_DOLLAR.token));
    checkouts.chain.mine(payAll(latest, DOLLAR));
    await checkouts.follow(OTHER_NETWORK);
    await checkouts.follow(NETWORK);
    checkouts.chain.mineEmpty(2);
    await checkouts.follow(NETWORK);

    await readPast(latest, OTHER_NETWORK, 2);

    const read = await checkouts.read(latest);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 10_000_000n]);
    expect(read.transfers.map(({ bookedAs }) => bookedAs).sort()).toEqual(['deposit', 'payment_in']);
    expect(await ledgerSteps(latest)).toHaveLength(1);
  });

  it('may pay elsewhere when that payment was reorganised away', async () => {
    const { earlier, latest } = await chosenTwice();
    const other = checkouts.chainOf(OTHER_NETWORK);
    other.mine(payAll(earlier, OTHER_DOLLAR));
    await checkouts.follow(OTHER_NETWORK);
    other.takeBack(1);
    other.mineEmpty(2);
    await checkouts.follow(OTHER_NETWORK);
    const emptied = await checkouts.session(latest);

    checkouts.chain.mine(payAll(latest, DOLLAR));
    checkouts.chain.mineEmpty(2);
    await checkouts.follow(NETWORK);

    expect([emptied!.status, emptied!.selected!.receivedAmount]).toEqual(['processing', 0n]);
    expect(await checkouts.session(latest)).toMatchObject({
      status: 'completed',
      selected: { uniqueAssetId: DOLLAR.uniqueAssetId, receivedAmount: 10_000_000n },
    });
  });

  it('is seen although the selected asset’s network has long been read past the deadline', async () => {
    const { earlier, latest } = await chosenTwice();
    await readPast(latest, NETWORK, 5);
    const waiting = await status(latest);

    checkouts.chainOf(OTHER_NETWORK).mine(payAll(earlier, OTHER_DOLLAR));
    checkouts.chainOf(OTHER_NETWORK).mineEmpty(2);
    await checkouts.follow(OTHER_NETWORK);

    expect([waiting, await status(latest)]).toEqual(['created', 'completed']);
  });
});

describe('A checkout with addresses on two networks for which nothing is paid', () => {
  it.each([[networks], [[...networks].reverse()]])(
    'expires only when both are read past: %s',
    async (order) => {
      const { latest } = await chosenTwice();

      await readPast(latest, order[0]!, 5);
      await checkouts.follow(NETWORK);
      const one = await status(latest);
      await readPast(latest, order[1]!);
      await checkouts.follow(NETWORK);

      expect([one, await status(latest)]).toEqual(['created', 'expired']);
      expect(await checkouts.told(latest)).toEqual(['pending', 'created', 'expired']);
    },
  );

  it('waits for a network that stands still, and for its grace', async () => {
    const { latest } = await chosenTwice();
    const other = checkouts.chainOf(OTHER_NETWORK);
    await checkouts.platform.advance(24 * 3600);

    for (let turn = 0; turn < 3; turn += 1) await readPast(latest, NETWORK, 5 * turn);
    const still = await status(latest);
    other.mineAt(new Date(latest.expiresAt.getTime() + OTHER_GRACE_SECONDS * 1_000));
    await checkouts.follow(OTHER_NETWORK);
    await checkouts.follow(NETWORK);
    const atTheGrace = await status(latest);
    other.mine();
    await checkouts.follow(OTHER_NETWORK);
    await checkouts.follow(NETWORK);

    expect([still, atTheGrace, await status(latest)]).toEqual(['created', 'created', 'expired']);
  });

  it('waits for finality on both once something was seen and has disappeared', async () => {
    const { latest } = await chosenTwice();
    checkouts.chain.mine(payAll(latest, DOLLAR));
    await checkouts.follow();
    checkouts.chain.takeBack(1);
    checkouts.chain.mine();
    await readPast(latest, NETWORK, 2);
    await readPast(latest, OTHER_NETWORK);
    await checkouts.follow(NETWORK);
    const before = await status(latest);
    const read = (await checkouts.watched.progress(networks)).get(NETWORK)!;
    const found = await new PostgresRequestsToJudge(checkouts.database).pastDeadline(
      NETWORK,
      [OTHER_NETWORK],
      read,
      10,
    );

    await readPast(latest, OTHER_NETWORK, 2);
    await checkouts.follow(NETWORK);

    expect([before, found, await status(latest)]).toEqual(['processing', [], 'expired']);
  });

  it('is not ended by what arrives too late on one network while the other is not read so far', async () => {
    const { latest } = await chosenTwice();
    await readPast(latest, NETWORK);

    checkouts.chain.mine(payAll(latest, DOLLAR));
    checkouts.chain.mineEmpty(2);
    await checkouts.follow(NETWORK);

    const read = await checkouts.read(latest);
    expect([read.status, read.transfers.map(({ counted }) => counted)]).toEqual(['created', [false]]);
  });

  it('does not wait for a network that is no longer configured', async () => {
    const { latest } = await chosenTwice();

    checkouts.catalogue.withdrawNetwork(OTHER_NETWORK);
    await readPast(latest, NETWORK);

    expect(await status(latest)).toBe('expired');
  });

  it('does not stop others from ending', async () => {
    const { latest } = await chosenTwice();
    const [waits, ends] = [latest, await checkouts.select(await checkouts.checkout(), DOLLAR)];

    const turns = await checkouts.follow(NETWORK);
    await readPast(ends, NETWORK);

    expect(turns).toBe(1);
    expect([await status(waits), await status(ends)]).toEqual(['created', 'expired']);
  });
});
