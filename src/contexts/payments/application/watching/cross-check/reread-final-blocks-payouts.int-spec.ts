import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChainPayout } from '#contexts/networks/contract/chain-reader.js';
import { COIN, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';

const PART = 10n ** 18n;

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

/** Changes every payout in the first reading only. @returns ends it */
function mistell(wrong: () => Partial<ChainPayout>): () => void {
  const honest = payments.chain.told.bind(payments.chain);
  payments.chain.told = (block) => {
    const told = honest(block);
    return { ...told, payouts: told.payouts.map((payout) => ({ ...payout, ...wrong() })) };
  };
  return () => (payments.chain.told = honest);
}

async function recorded() {
  return payments.database.query(
    'SELECT address, to_settlement::text AS "toSettlement" FROM payments.payouts WHERE canonical',
  );
}

describe('A payout that the first reading got wrong', () => {
  it.each([
    ['toSettlement', () => ({ toSettlement: PART / 2n })],
    ['address', () => ({ address: other.address.toLowerCase() })],
  ])('is replaced by the right one of the same log, where the %s was wrong', async (_, wrong) => {
    const tellTruth = mistell(wrong);
    payments.chain.mine({ to: paid.address, amount: PART, token: COIN.token, kind: 'call' });
    payments.chain.mine({ to: paid.address, amount: PART, token: COIN.token, kind: 'payout' });
    await payments.turn();
    const first = await recorded();

    tellTruth();
    payments.chain.mineEmpty(5);
    await payments.follow();

    const right = { address: paid.address.toLowerCase(), toSettlement: PART.toString() };
    expect(first).toEqual([
      { ...right, ...Object.fromEntries(Object.entries(wrong()).map(([name, told]) => [name, `${told}`])) },
    ]);
    expect(await recorded()).toEqual([right]);
  });
});
