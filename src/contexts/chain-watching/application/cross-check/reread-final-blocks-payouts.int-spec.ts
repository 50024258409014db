import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChainPayout } from '#contexts/networks/contract/chain-reader.js';
import { COIN, NETWORK, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';

const PAYOUT_AMOUNT = 10n ** 18n;

let payments: Payments;
let paid: PaymentRequestView;
let other: PaymentRequestView;
beforeEach(async () => {
  payments = await openPayments(3, SmallCatalogue.withCoin());
  await payments.follow();
  const point = await payments.pointsOfSale.open({ paymentOptions: [COIN.uniqueAssetId] });
  const two = { amount: '2', uniqueAssetId: COIN.uniqueAssetId };
  paid = await payments.request(two, point);
  other = await payments.request(two, point);
});
afterEach(() => payments.close());

/**
 * Falsifies every payout in the first read of a block.
 * @returns a function that ends this
 */
function falsifyFirstRead(wrong: () => Partial<ChainPayout>): () => void {
  const honest = payments.chain.answeredBlock.bind(payments.chain);
  payments.chain.answeredBlock = (block) => {
    const told = honest(block);
    return { ...told, payouts: told.payouts.map((payout) => ({ ...payout, ...wrong() })) };
  };
  return () => (payments.chain.answeredBlock = honest);
}

/**
 * Makes the endpoint omit payouts from now on.
 * @returns a function that ends this
 */
function hidePayouts(): () => void {
  const { chain } = payments;
  const honest = chain.answeredBlock.bind(chain);
  chain.answeredBlock = (block) => ({ ...honest(block), payouts: [] });
  return () => (chain.answeredBlock = honest);
}

/**
 * Adds a healthy second endpoint that omits payouts.
 * @returns a function that ends this
 */
function hidePayoutsFromSecondEndpoint(): () => void {
  const { chain, secondEndpoint } = payments;
  const other = chain.anotherEndpoint();
  secondEndpoint.others.set(NETWORK, other);
  const honest = other.answeredBlock.bind(other);
  other.answeredBlock = (block) => ({ ...honest(block), payouts: [] });
  return () => (other.answeredBlock = honest);
}

function minePayout(): void {
  const { chain } = payments;
  chain.mine({ to: paid.address, amount: PAYOUT_AMOUNT, token: COIN.token, kind: 'call' });
  chain.mine({ to: paid.address, amount: PAYOUT_AMOUNT, token: COIN.token, kind: 'payout' });
}

const readCursor = async () => (await payments.watched.cursor(NETWORK))!;

async function recordedPayouts() {
  return payments.database.query(
    'SELECT address, to_settlement::text AS "toSettlement" FROM payments.payouts WHERE canonical',
  );
}

describe('A payout that was read incorrectly', () => {
  it('is replaced by the correct one of the same log', async () => {
    const wrong = () => ({ address: other.address.toLowerCase(), toSettlement: PAYOUT_AMOUNT / 2n });
    const tellTruth = falsifyFirstRead(wrong);
    minePayout();
    await payments.turn();
    const first = await recordedPayouts();

    tellTruth();
    payments.chain.mineEmpty(5);
    await payments.follow();

    const right = { address: paid.address.toLowerCase(), toSettlement: PAYOUT_AMOUNT.toString() };
    expect(first).toEqual([
      { ...right, ...Object.fromEntries(Object.entries(wrong()).map(([name, told]) => [name, `${told}`])) },
    ]);
    expect(await recordedPayouts()).toEqual([right]);
  });
});

describe('A payout that one of two endpoints shows', () => {
  it('stays recorded, and is not final before both show it', async () => {
    const tellTruth = hidePayoutsFromSecondEndpoint();
    minePayout();
    payments.chain.mineEmpty(5);
    await payments.follow();
    const disputed = await readCursor();
    const kept = await recordedPayouts();

    tellTruth();
    payments.chain.mineEmpty(1);
    await payments.follow();

    expect(disputed.disagreement).toMatch(/only one endpoint shows payout/);
    expect(disputed.finalNumber).toBeLessThan((await readCursor()).finalNumber!);
    expect(kept).toHaveLength(1);
    expect([await recordedPayouts(), (await readCursor()).disagreement]).toEqual([kept, null]);
  });

  it('is not recorded by the second endpoint alone', async () => {
    const tellTruth = falsifyFirstRead(() => ({ toSettlement: 0n }));
    payments.secondEndpoint.others.set(NETWORK, payments.chain.anotherEndpoint());
    minePayout();
    payments.chain.mineEmpty(5);
    await payments.follow();
    const disputed = await readCursor();
    const before = await recordedPayouts();

    tellTruth();
    payments.chain.mineEmpty(1);
    await payments.follow();

    expect(disputed.disagreement).toMatch(/only one endpoint shows payout/);
    expect(before).toEqual([]);
    expect(await recordedPayouts()).toHaveLength(1);
  });

  it('stays recorded if its only endpoint hides it while the other is away', async () => {
    const { chain, secondEndpoint } = payments;
    secondEndpoint.isAway = true;
    minePayout();
    await payments.follow();
    const kept = await recordedPayouts();

    const tellTruth = hidePayouts();
    chain.mineEmpty(5);
    await payments.follow();
    const disputed = [(await readCursor()).disagreement, await recordedPayouts()];
    secondEndpoint.others.set(NETWORK, chain.anotherEndpoint());
    secondEndpoint.isAway = false;
    tellTruth();
    chain.mineEmpty(1);
    await payments.follow();

    expect(disputed).toEqual([expect.stringMatching(/only the first read shows payout/), kept]);
    expect([await recordedPayouts(), (await readCursor()).disagreement]).toEqual([kept, null]);
    expect(kept).toHaveLength(1);
  });
});
