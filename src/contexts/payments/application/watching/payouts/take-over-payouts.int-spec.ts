import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  COIN,
  DOLLAR,
  NETWORK,
  SmallCatalogue,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { paidOut, payoutEvents, typesOf } from '#contexts/payments/testing/watching/payout-events.js';
import type { PaymentRequestView } from '../../requests/payment-request-view.js';

const CONFIRMATIONS = 3;

let payments: Payments;
beforeAll(async () => {
  const [sandbox] = new SmallCatalogue().networks();
  payments = await openPayments(CONFIRMATIONS, new SmallCatalogue([sandbox!], [DOLLAR, COIN]));
  await payments.follow();
});
afterAll(() => payments.close());
afterEach(async () => {
  expect(await payments.breaches()).toEqual({});
  payments.alerts.noted.length = 0;
});

/** Requests of one account, each with an address of its own. */
async function requests(count: number): Promise<PaymentRequestView[]> {
  const point = await payments.pointsOfSale.open({ paymentOptions: [DOLLAR.uniqueAssetId] });
  const made: PaymentRequestView[] = [];
  for (let i = 0; i < count; i += 1) made.push(await payments.request({}, point));
  return made;
}

const told = (request: PaymentRequestView) => payoutEvents(payments.database, request);

async function final(): Promise<void> {
  payments.chain.mineEmpty(CONFIRMATIONS);
  await payments.follow();
}

describe('A payout that a process of the release before recorded', () => {
  it('is told of by the next process that watches, with the fee of its terms, and so is what that one took back', async () => {
    const [one, other] = (await requests(2)) as [PaymentRequestView, PaymentRequestView];
    const { number, hash } = payments.chain.mine(paidOut(other, DOLLAR.token, 20n));
    await final();
    const { address } = one;
    await payments.database.query(
      `INSERT INTO payments.native_payouts (network, transaction_hash, log_index, block_number, block_hash, address, amount)
       VALUES ($1, '0xold', 0, $2, $3, $4, 1000)`,
      [NETWORK, number, hash, address.toLowerCase()],
    );
    await payments.database.query(
      `UPDATE payments.deposit_addresses SET derivation = '{"factory": "0xFA"}', fee_basis_points = 150
       WHERE address = $1`,
      [address.toLowerCase()],
    );
    await payments.database.query(
      `UPDATE payments.payouts SET block_hash = '0xgone' WHERE payment_request_id = $1`,
      [other.id],
    );
    await final();

    const events = await told(one);
    expect(typesOf(events).slice(2)).toEqual(['payouts.removed', 'payouts.seen', 'payouts.final']);
    expect(events[3]!.data).toMatchObject({
      transactionHash: '0xold',
      from: '0xfa',
      blockNumber: number,
      blockHash: hash,
      payouts: [
        { paymentRequestId: one.id, uniqueAssetId: COIN.uniqueAssetId, toSettlement: '985', toFee: '15' },
      ],
    });
    const [gone] = await told(other);
    await payments.database.query(
      `UPDATE payments.payouts SET block_hash = $1 WHERE payment_request_id = $2`,
      [gone!.data.blockHash, other.id],
    );
  });
});
