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
/** The session as selected first, on the other network, and then on the first. */
let earlier: CheckoutView;
let latest: CheckoutView;

beforeEach(async () => {
  checkouts = await openCheckouts();
  const checkout = await checkouts.checkout();
  earlier = await checkouts.select(checkout, OTHER_DOLLAR);
  latest = await checkouts.select(checkout, DOLLAR);
  checkouts.chainOf(OTHER_NETWORK).mine(pay(earlier.selected!, 1, OTHER_DOLLAR.token));
  await checkouts.follow(OTHER_NETWORK);
});
// Also checks every invariant on what the test has left.
afterEach(() => checkouts.close());

/** The block with the first payment is gone, and what it held does not come back. */
async function loseFirst(): Promise<void> {
  const other = checkouts.chainOf(OTHER_NETWORK);
  other.takeBack(1);
  other.mineEmpty(2);
  await checkouts.turn(OTHER_NETWORK);
}

async function readOtherPastItsDeadline(): Promise<void> {
  const other = checkouts.chainOf(OTHER_NETWORK);
  other.mineBeyond(new Date(latest.expiresAt.getTime() + OTHER_GRACE_SECONDS * 1_000));
  other.mineEmpty(2);
  await checkouts.follow(OTHER_NETWORK);
  await checkouts.follow(NETWORK);
}

async function state(): Promise<unknown[]> {
  const { status, receivedAmount, asked } = await checkouts.read(latest);
  return [status, asked!.network, receivedAmount];
}

async function counted(): Promise<[network: string, counted: boolean][]> {
  const rows = await checkouts.platform.database.query<{ network: string; counted: boolean }>(
    'SELECT network, counted FROM payments.transfers WHERE payment_request_id = $1 ORDER BY detected_at, index',
    [latest.id],
  );
  return rows.map((row) => [row.network, row.counted]);
}

describe('A first payment that a reorganisation takes away for good', () => {
  it('leaves what was paid in full on another network meanwhile completed', async () => {
    checkouts.chain.mine(payAll(latest, DOLLAR));
    checkouts.chain.mineEmpty(2);
    await checkouts.follow(NETWORK);
    const [before, countedBefore] = [await state(), await counted()];

    await loseFirst();

    expect([before, countedBefore]).toEqual([
      ['completed', NETWORK, 10_000_000n],
      [
        [OTHER_NETWORK, false],
        [NETWORK, true],
      ],
    ]);
    expect([await state(), await counted()]).toEqual([before, countedBefore]);
    expect(await checkouts.told(latest)).toEqual([
      'pending',
      'created',
      'processing',
      'completed',
      'ledger step',
    ]);
  });

  it('leaves a part that waits for its finality and for the rest', async () => {
    checkouts.chain.mine(pay(latest.selected!, 400));
    await checkouts.follow(NETWORK);

    await loseFirst();
    const part = await state();
    checkouts.chain.mine(pay(latest.selected!, 600));
    checkouts.chain.mineEmpty(2);
    await checkouts.follow(NETWORK);

    expect(part).toEqual(['processing', NETWORK, 4_000_000n]);
    expect(await state()).toEqual(['completed', NETWORK, 10_000_000n]);
  });

  it('leaves it underpaid by a part that was final, once its network too is read past the deadline', async () => {
    checkouts.chain.mine(pay(latest.selected!, 400));
    checkouts.chain.mineBeyond(new Date(latest.expiresAt.getTime() + OTHER_GRACE_SECONDS * 1_000));
    checkouts.chain.mineEmpty(2);
    await checkouts.follow(NETWORK);
    const before = await state();

    await loseFirst();

    const after = await state();
    await readOtherPastItsDeadline();

    expect([before, after]).toEqual([
      ['processing', NETWORK, 4_000_000n],
      ['processing', NETWORK, 4_000_000n],
    ]);
    expect(await state()).toEqual(['underpaid', NETWORK, 4_000_000n]);
  });

  it('counts in its own sum when it comes back, and what leads stays shown', async () => {
    checkouts.chain.mine(pay(latest.selected!, 400));
    await checkouts.follow(NETWORK);
    await loseFirst();

    checkouts.chainOf(OTHER_NETWORK).mine(pay(earlier.selected!, 1, OTHER_DOLLAR.token));
    await checkouts.follow(OTHER_NETWORK);

    expect(await state()).toEqual(['processing', NETWORK, 4_000_000n]);
    expect((await counted()).at(-1)).toEqual([OTHER_NETWORK, true]);
  });

  it('leaves nothing where what was paid elsewhere came too late', async () => {
    checkouts.chain.mineBeyond(latest.expiresAt);
    checkouts.chain.mineEmpty(1);
    checkouts.chain.mine(payAll(latest, DOLLAR));
    await checkouts.follow(NETWORK);

    await loseFirst();

    expect(await state()).toEqual(['processing', OTHER_NETWORK, 0n]);
  });

  it('leaves the sum right when what was paid elsewhere disappears at the same moment', async () => {
    checkouts.chain.mine(payAll(latest, DOLLAR));
    await checkouts.follow(NETWORK);
    let goOn!: () => void;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    let arrive!: () => void;
    const countedAgain = new Promise<void>((resolve) => (arrive = resolve));
    checkouts.database.afterStatement = (text) => {
      if (!text.includes('INSERT INTO payments.received_sums')) return undefined;
      checkouts.database.afterStatement = () => undefined;
      arrive();
      return mayGoOn;
    };
    const losing = loseFirst();
    await countedAgain;
    checkouts.chain.takeBack(1);
    checkouts.chain.mineEmpty(2);

    const losingThat = checkouts.turn(NETWORK);
    await new Promise((resolve) => setTimeout(resolve, 200));
    goOn();
    await Promise.all([losing, losingThat]);

    expect(await state()).toEqual(['processing', NETWORK, 0n]);
    expect((await counted()).map(([, counts]) => counts)).toEqual([false, false]);
  });
});
