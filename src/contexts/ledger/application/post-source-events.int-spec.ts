import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { SettledAddress } from '#contexts/settlement/contract/settlement-events.js';
import { confirmedPayment, receivedDeposit, reversalOf } from '../testing/movements.js';
import { openLedger, type TestLedger } from '../testing/open-ledger.js';
import { anOwner, emptiedAddress, settlementEvent, type Owner } from '../testing/source-events.js';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterEach(async () => {
  expect(await ledger.breaches()).toEqual({});
});
afterAll(() => ledger.close());

const listTransactions = (owner: Owner) =>
  ledger.queries.page(owner, { created: {} }, { page: 1, pageSize: 50 });
const payoutPlace = ({ paymentRequestId, to }: { paymentRequestId: string; to: string }) => ({
  paymentRequestId,
  address: to,
});

/** Applies all published events. */
const applyEvents = () => ledger.untilRead(ledger.runner());

/**
 * Posts two payments to one deposit address with a fee of 1.5 percent, each rounded, and returns a payout of both.
 * Another account of the organization was paid before, so that numbers within the account and the organization differ.
 */
async function postTwoPayments() {
  const owner = anOwner();
  await ledger.happen([confirmedPayment({ organizationId: owner.organizationId })]);
  const facts = { ...owner, feeBasisPoints: 150 };
  const payment = confirmedPayment({ ...facts, receivedAmount: 1_033n });
  const { paymentRequestId } = payment;
  const deposit = receivedDeposit({ ...facts, paymentRequestId, amount: 1_033n });
  await ledger.happen([payment, deposit]);
  return { owner, payment, deposit, addresses: [emptiedAddress(payoutPlace(payment), 2_066n, 150)] };
}

const settle = (owner: Owner, id: string, addresses: readonly SettledAddress[], ...statuses: string[]) =>
  ledger.publish(statuses.map((status) => settlementEvent(owner, id, status as 'processing', addresses)));

describe('A settlement in the books', () => {
  it('stays in flight until its block is final', async () => {
    const { owner, addresses } = await postTwoPayments();
    const id = newId();
    await settle(owner, id, addresses, 'processing');

    await applyEvents();

    // Fees as booked: 15 for each payment. The chain took one fee of 30 for both, 30.99 rounded down.
    expect(await ledger.balances(owner)).toEqual({
      in_flight: 2_066,
      merchant_payable: -2_036,
      service_fees: -30,
    });
    const { items } = await listTransactions(owner);
    expect(items[0]).toMatchObject({
      ...{ type: 'withdraw', status: 'processing', fromType: 'vault', toType: 'settlement_address' },
      ...{ grossAmount: 2_066n, netAmount: 2_036n, expectedAmount: 2_066n },
      to: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    });
    expect(items.map(({ settlementId }) => settlementId)).toEqual([id, id, id]);
  });

  it('leaves nothing booked after it has failed, and another settlement delivers the money', async () => {
    const { owner, addresses } = await postTwoPayments();
    const [removed, mined] = [newId(), newId()];
    await settle(owner, removed, addresses, 'processing', 'completed', 'failed');
    await applyEvents();
    expect(await ledger.balances(owner)).toEqual({
      custody: 2_066,
      merchant_payable: -2_036,
      service_fees: -30,
    });
    expect((await listTransactions(owner)).items.map(({ settlementId }) => settlementId)).toEqual([
      removed,
      null,
      null,
    ]);
    await settle(owner, mined, addresses, 'processing', 'completed');

    await applyEvents();

    expect(await ledger.balances(owner)).toEqual({ fees_delivered: 30, service_fees: -30 });
    const { items } = await listTransactions(owner);
    expect(items.map(({ settlementId, status }) => [settlementId, status])).toEqual([
      [mined, 'completed'],
      [removed, 'failed'],
      [mined, 'completed'],
      [mined, 'completed'],
    ]);
  });

  it('delivers a reversed deposit together with the reversal', async () => {
    const owner = anOwner();
    const payment = confirmedPayment({ ...owner, receivedAmount: 10n });
    const deposit = receivedDeposit({ ...owner, paymentRequestId: payment.paymentRequestId, amount: 4n });
    await ledger.happen([payment, deposit, reversalOf(deposit)]);
    const id = newId<string>();
    await settle(owner, id, [emptiedAddress(payoutPlace(payment), 10n)], 'processing');

    await applyEvents();

    const { items } = await listTransactions(owner);
    expect(items.map(({ type, settlementId }) => [type, settlementId])).toEqual(
      ['withdraw', 'adjustment', 'deposit', 'payment_in'].map((type) => [type, id]),
    );
  });

  it.each([
    ['its creation', -3_600, 0],
    ['its last status', 3_600, -3_600],
  ])('has no change of status dated before %s, even if the clock steps back', async (_, first, second) => {
    const { owner, addresses } = await postTwoPayments();
    const id = newId<string>();
    for (const [status, seconds] of [
      ['processing', first],
      ['completed', second],
      ['failed', -first - second],
    ] as const) {
      await settle(owner, id, addresses, status);
      await applyEvents();
      await ledger.advance(seconds);
    }

    const rows = await ledger.database.query<{ at: Date }>(
      `SELECT created_at AS at, 1 AS step FROM ledger.transactions WHERE source_id = $1
       UNION ALL SELECT c.at, c.step FROM ledger.status_changes c JOIN ledger.transactions t ON t.id = c.transaction_id
       WHERE t.source_id = $1 ORDER BY step`,
      [id],
    );

    const times = rows.map(({ at }) => at.getTime());
    expect(times).toHaveLength(3);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});

describe('A payment booked after its settlement', () => {
  it('is linked to the settlement, with the rounding', async () => {
    const owner = anOwner();
    const facts = { ...owner, feeBasisPoints: 5_000 };
    const payment = confirmedPayment({ ...facts, receivedAmount: 3n });
    const { paymentRequestId } = payment;
    const elsewhere = receivedDeposit({ ...facts, paymentRequestId, to: `0x${'e1'.repeat(20)}`, amount: 8n });
    const id = newId();
    await ledger.happen([payment, elsewhere]);
    const paidOut = [
      emptiedAddress(payoutPlace(payment), 6n, 5_000),
      emptiedAddress({ paymentRequestId, address: elsewhere.to }, 8n, 5_000),
    ];
    await settle(owner, id, paidOut, 'processing', 'completed');
    await applyEvents();
    expect(await ledger.balances(owner)).toEqual({
      ...{ custody: -3, merchant_payable: 1, fees_delivered: 7, service_fees: -5 },
    });

    const late = receivedDeposit({ ...facts, paymentRequestId, amount: 3n });
    const other = receivedDeposit({ ...facts, paymentRequestId, amount: 4n });
    await ledger.happen([other, late]);
    await applyEvents();

    expect(await ledger.balances(owner)).toEqual({
      ...{ custody: 4, merchant_payable: -2, fees_delivered: 7, service_fees: -8, rounding: -1 },
    });
    const { items } = await listTransactions(owner);
    expect(items.map(({ grossAmount, settlementId }) => [grossAmount, settlementId])).toEqual([
      [3n, id],
      [4n, null],
      [14n, id],
      [8n, id],
      [3n, id],
    ]);
  });

  it('is linked to the oldest settlement with the same amount', async () => {
    const owner = anOwner();
    const payment = confirmedPayment({ ...owner, receivedAmount: 3n });
    const [first, second] = [newId<string>(), newId<string>()];
    for (const id of [first, second])
      await settle(owner, id, [emptiedAddress(payoutPlace(payment), 3n)], 'processing', 'completed');
    await applyEvents();
    await ledger.happen([payment]);

    await applyEvents();

    expect((await listTransactions(owner)).items[0]!.settlementId).toBe(first);
  });

  it('is booked without a link if its settlement has failed', async () => {
    const owner = anOwner();
    const payment = confirmedPayment({ ...owner, receivedAmount: 3n });
    await settle(owner, newId(), [emptiedAddress(payoutPlace(payment), 3n)], 'processing', 'failed');
    await applyEvents();
    await ledger.happen([payment]);

    await applyEvents();

    expect(await ledger.balances(owner)).toEqual({ custody: 3, merchant_payable: -3 });
    expect((await listTransactions(owner)).items[0]!.settlementId).toBeNull();
  });
});
