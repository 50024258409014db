import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { confirmedPayment, receivedDeposit, reversalOf } from '../../testing/movements.js';
import {
  anOwner,
  COIN,
  emptiedAddress,
  floatWithdrawalEvent,
  refundEvent,
  settlementEvent,
  topUpEvent,
} from '../../testing/source-events.js';
import type { Movement } from '../../domain/movement.js';
import type { PublishedSourceEvent } from '../subscribers/source-event-types.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';

const [PLAIN, REVERSED, OWNER] = [anOwner(), anOwner(), anOwner()];

const [DELIVERED, FLYING, REMOVED, EARLY, REFUND, FLOAT_WITHDRAWAL] = Array.from({ length: 6 }, () =>
  newId<string>(),
) as [string, string, string, string, string, string];

let ledger: TamperedLedger;

/**
 * Creates three payments; a partly reversed payment, a reversed deposit and a deposit that stays; settlements that are
 * completed, in flight, removed, or include funds that are not booked; a float with a top-up, a refund and a
 * withdrawal.
 */
beforeAll(async () => {
  const [plain, reversed] = [PLAIN, REVERSED].map((owner) => ({ ...owner, feeBasisPoints: 100 }));
  const part = confirmedPayment({ ...reversed, referenceId: 'part' });
  const gone = receivedDeposit({ ...reversed, referenceId: 'gone' });
  const facts = { ...OWNER, feeBasisPoints: 150, receivedAmount: 1_033n };
  const paid = confirmedPayment({ ...facts, referenceId: 'delivered' });
  const more = receivedDeposit({ ...facts, paymentRequestId: paid.paymentRequestId, amount: 1_033n });
  const [flying, waiting, early] = ['flying', 'waiting', 'early'].map((referenceId) =>
    confirmedPayment({ ...facts, referenceId }),
  );
  const all = (payment: typeof paid, gross: bigint) => [
    emptiedAddress({ paymentRequestId: payment.paymentRequestId, address: payment.to }, gross, 150),
  ];
  const refund = { paymentRequestId: paid.paymentRequestId };
  const gas = { uniqueAssetId: COIN, amount: '21' };
  ledger = await openTamperedLedger(
    [
      ...['1', '2', '3'].map((referenceId) => confirmedPayment({ ...plain, referenceId })),
      part,
      { ...reversalOf(part, { after: 6_000_001n }), referenceId: 'part reversed' },
      gone,
      { ...reversalOf(gone), referenceId: 'all of gone' },
      receivedDeposit({ ...reversed, referenceId: 'stays' }),
      ...[paid, more, flying!, waiting!, early!],
    ],
    [
      settlementEvent(OWNER, DELIVERED, 'processing', all(paid, 2_066n)),
      settlementEvent(OWNER, DELIVERED, 'completed', all(paid, 2_066n)),
      settlementEvent(OWNER, REMOVED, 'processing', all(flying!, 1_033n)),
      settlementEvent(OWNER, REMOVED, 'failed', all(flying!, 1_033n)),
      settlementEvent(OWNER, FLYING, 'processing', all(flying!, 1_033n)),
      settlementEvent(OWNER, EARLY, 'processing', all(early!, 1_100n)),
      topUpEvent(OWNER),
      topUpEvent(OWNER, { uniqueAssetId: COIN, currency: 'ETH', decimals: 18, amount: '100' }),
      refundEvent(OWNER, REFUND, refund),
      refundEvent(OWNER, REFUND, { ...refund, status: 'completed', gas, transactionHash: '0x01' }),
      floatWithdrawalEvent(OWNER, FLOAT_WITHDRAWAL, {}),
    ],
  );
}, 60_000);

afterAll(() => ledger.close('any'));

const of = (source: string) => `(SELECT id FROM ledger.transactions WHERE source_id = '${source}')`;

const booked = (reference: string) =>
  `(SELECT id FROM ledger.transactions WHERE reference_id = '${reference}')`;

/** Each change begins with the line "-- name: invariants", which names all invariants that must report the change. */
const TAMPERINGS = `
-- an entry grows: ledger-balances-equal-entries, ledger-entries-balance, ledger-payment-in-entries, ledger-statements-are-the-journal
UPDATE ledger.entries SET amount = amount + 1 WHERE transaction_id = ${booked('2')} AND line = 1
-- entries vanish: ledger-balances-equal-entries, ledger-payment-in-entries
DELETE FROM ledger.entries WHERE transaction_id = ${booked('2')}
-- an entry changes its account: ledger-balances-equal-entries, ledger-payment-in-entries
UPDATE ledger.entries SET ledger_account = 'service_fees'
  WHERE transaction_id = ${booked('2')} AND line = 2
-- the entries are of another asset: ledger-balances-equal-entries, ledger-payment-in-entries
UPDATE ledger.entries SET unique_asset_id = 'other' WHERE transaction_id = ${booked('2')}
-- a balance differs: ledger-balances-equal-entries, ledger-custody-is-what-came
UPDATE ledger.balances SET amount = amount + 1 WHERE ledger_account = 'custody'
-- a balance vanishes: ledger-balances-equal-entries, ledger-custody-is-what-came
DELETE FROM ledger.balances WHERE ledger_account = 'custody'
-- a balance comes from nowhere: ledger-balances-equal-entries, ledger-custody-is-what-came
INSERT INTO ledger.balances SELECT organization_id, account_id, 'custody', 'other', 1
  FROM ledger.balances LIMIT 1
-- entries are another account’s: ledger-balances-equal-entries, ledger-one-owner, ledger-statements-are-the-journal
UPDATE ledger.entries SET account_id = gen_random_uuid() WHERE transaction_id = ${booked('2')}
-- an account passes to another organization: ledger-one-owner
UPDATE ledger.sequences SET organization_id = gen_random_uuid()
  WHERE account_id IS NOT NULL
-- a counter is ahead: ledger-sequences-gapless
UPDATE ledger.sequences SET last = 4 WHERE account_id IS NULL
-- a counter is missing: ledger-sequences-gapless
DELETE FROM ledger.sequences WHERE account_id IS NULL
-- a number is missing: ledger-sequences-gapless
UPDATE ledger.transactions SET account_sequence = 9 WHERE reference_id = '3'
-- a time runs backward: ledger-times-follow-numbers
UPDATE ledger.transactions SET created_at = created_at - interval '1 second' WHERE reference_id = '2'
-- a record is of less than was received: ledger-confirmed-posted-once, ledger-custody-is-what-came, ledger-payment-in-entries
UPDATE ledger.transactions SET gross_amount = 9999999, net_amount = 9900000
  WHERE reference_id = '2'
-- a payment_in was never confirmed: ledger-payment-in-confirmed
DELETE FROM platform.events WHERE data ->> 'referenceId' = '2'
-- a payment is confirmed twice with different amounts: ledger-confirmed-posted-once
INSERT INTO platform.events
  (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT gen_random_uuid(), type, aggregate_id, organization_id, account_id, occurred_at,
  data || '{"receivedAmount": "1"}' FROM platform.events
  WHERE type = 'payment_request.confirmed' LIMIT 1
-- a closed month has another statement than the journal: ledger-closed-statements-are-the-journal
WITH closed AS (INSERT INTO ledger.closed_periods
  SELECT organization_id, period, now(), 'owner', 3, true FROM ledger.entries LIMIT 1)
  UPDATE ledger.sequences SET closed_before = (SELECT max(period) + interval '1 month' FROM ledger.entries)
  WHERE account_id IS NULL
-- a month between two closed ones is open: ledger-closed-periods-in-order
WITH closed AS (INSERT INTO ledger.closed_periods SELECT scope_id, period::date, now(), 'owner', 3
  FROM ledger.sequences, (VALUES ('2026-01-01'), ('2026-03-01')) v (period) WHERE account_id IS NULL)
  UPDATE ledger.sequences SET closed_before = '2026-04-01' WHERE account_id IS NULL
-- the entries of a deposit vanish: ledger-balances-equal-entries, ledger-deposit-entries
DELETE FROM ledger.entries WHERE transaction_id = ${booked('stays')}
-- a reversal is an entry the wrong way round: ledger-adjustment-entries, ledger-balances-equal-entries
UPDATE ledger.entries SET amount = -amount WHERE transaction_id = ${booked('part reversed')}
-- a deposit is of more than came: ledger-custody-is-what-came, ledger-deposit-entries, ledger-deposits-posted-once
UPDATE ledger.transactions SET gross_amount = 4000001, expected_amount = 4000001
  WHERE reference_id = 'stays'
-- a deposit is charged a unit too much: ledger-deposit-entries, ledger-deposits-posted-once
UPDATE ledger.transactions SET net_amount = net_amount - 1 WHERE reference_id = 'stays'
-- a reversal takes a unit too little from the merchant: ledger-adjustment-entries, ledger-reversals-posted-once
UPDATE ledger.transactions SET net_amount = net_amount + 1 WHERE reference_id = 'part reversed'
-- a deposit is of another transfer: ledger-deposits-posted-once, ledger-transfers-told
UPDATE ledger.transactions SET transfer_id = gen_random_uuid() WHERE reference_id = 'stays'
-- a reversal is not posted: ledger-reversals-posted-once, ledger-transfers-told
UPDATE platform.events SET id = gen_random_uuid(),
  data = data || jsonb_build_object('transferId', gen_random_uuid()) WHERE data ->> 'referenceId' = 'part reversed'
-- a deposit has no event: ledger-transfers-told
DELETE FROM platform.events WHERE data ->> 'referenceId' = 'stays'
-- a deposit is another account’s: ledger-deposits-posted-once
UPDATE platform.events SET account_id = gen_random_uuid() WHERE data ->> 'referenceId' = 'stays'
-- a deposit is of another asset: ledger-deposits-posted-once
UPDATE platform.events SET data = data || '{"uniqueAssetId": "other"}' WHERE data ->> 'referenceId' = 'stays'
-- a reversal comes before what it reverses: ledger-adjustments-reverse-what-stands, ledger-sequences-gapless
UPDATE ledger.transactions SET account_sequence = 9 WHERE reference_id = 'gone'
-- a reversal reverses nothing: ledger-adjustments-reverse-what-stands, ledger-confirmed-posted-once, ledger-payment-in-confirmed
UPDATE ledger.transactions SET payment_request_id = gen_random_uuid() WHERE reference_id = 'part'
-- more is reversed than there was: ledger-adjustment-entries, ledger-adjustments-reverse-what-stands, ledger-custody-is-what-came, ledger-reversals-posted-once
UPDATE ledger.transactions SET gross_amount = -10000001, expected_amount = -10000001
  WHERE reference_id = 'part reversed'
-- a part of a deposit is reversed: ledger-adjustment-entries, ledger-adjustments-reverse-what-stands, ledger-custody-is-what-came, ledger-reversals-posted-once
UPDATE ledger.transactions SET gross_amount = -1, net_amount = -1, expected_amount = -1
  WHERE reference_id = 'all of gone'
-- the net of a withdraw grows: ledger-settlement-entries, ledger-settlements-are-followed
UPDATE ledger.transactions SET net_amount = net_amount + 1 WHERE source_id = '${DELIVERED}'
-- a withdraw in flight is marked as delivered: ledger-in-flight-is-under-way, ledger-settlement-entries, ledger-settlements-are-followed, ledger-sources-told
INSERT INTO ledger.status_changes SELECT id, 2, organization_id, account_id, organization_sequence,
  account_sequence, 'completed', created_at FROM ledger.transactions WHERE source_id = '${FLYING}'
-- a delivered withdraw is in flight again: ledger-in-flight-is-under-way, ledger-settlement-entries, ledger-settlements-are-followed
DELETE FROM ledger.status_changes WHERE transaction_id = ${of(DELIVERED)}
-- a status has another number than its transaction: ledger-statuses-follow
UPDATE ledger.status_changes SET account_sequence = 99 WHERE transaction_id = ${of(DELIVERED)}
-- a status is missing: ledger-statuses-follow
UPDATE ledger.status_changes SET step = 3 WHERE transaction_id = ${of(DELIVERED)}
-- a status runs backward in time: ledger-statuses-follow
UPDATE ledger.status_changes SET at = at - interval '1 day' WHERE transaction_id = ${of(DELIVERED)}
-- the hash of a withdraw: ledger-settlements-are-followed
UPDATE ledger.status_changes SET transaction_hash = '0x99' WHERE transaction_id = ${of(DELIVERED)}
-- the settlement address of a withdraw: ledger-settlements-are-followed
UPDATE ledger.transactions SET to_address = from_address WHERE source_id = '${DELIVERED}'
-- a withdraw is erased with its events: ledger-in-flight-is-under-way, ledger-sequences-gapless
DELETE FROM ledger.transactions WHERE source_id = '${FLYING}';
DELETE FROM platform.events WHERE aggregate_id = '${FLYING}'
-- a settlement has no event: ledger-sources-told
DELETE FROM platform.events WHERE aggregate_id = '${FLYING}'
-- a withdraw is not written: ledger-links-are-of-one-settlement, ledger-settlements-are-followed, ledger-sources-told
UPDATE ledger.transactions SET source_id = gen_random_uuid() WHERE source_id = '${FLYING}'
-- rounding is paid out to the merchant: ledger-balances-equal-entries, ledger-custody-is-what-came, ledger-settlement-entries
UPDATE ledger.entries SET amount = amount + CASE ledger_account WHEN 'rounding' THEN 1 ELSE -1 END
  WHERE transaction_id = ${of(DELIVERED)} AND ledger_account IN ('fees_delivered', 'merchant_payable') AND line > 2;
UPDATE ledger.entries SET amount = amount + 2 WHERE transaction_id = ${of(DELIVERED)} AND ledger_account = 'in_flight' AND line > 2
-- what a settlement delivered is linked to none: ledger-payouts-are-covered, ledger-settlement-entries
DELETE FROM ledger.settled_transactions WHERE transaction_id = ${booked('delivered')}
-- a payment is linked to two settlements: ledger-links-are-of-one-settlement, ledger-settlement-entries
INSERT INTO ledger.settled_transactions SELECT ${booked('flying')}, source_id, id, organization_id, account_id
  FROM ledger.transactions WHERE source_id = '${DELIVERED}'
-- a link is of another account: ledger-links-are-of-one-settlement
UPDATE ledger.settled_transactions SET account_id = gen_random_uuid() WHERE transaction_id = ${booked('flying')}
-- a link names another settlement than its withdraw: ledger-links-are-of-one-settlement
UPDATE ledger.settled_transactions SET settlement_id = gen_random_uuid() WHERE transaction_id = ${booked('delivered')}
-- what was not booked yet is forgotten: ledger-payouts-are-covered
UPDATE ledger.uncovered_payouts SET amount = 0
-- a top-up grows, with its entries and balances: ledger-float-entries, ledger-floats-are-what-came, ledger-top-ups-are-posted
UPDATE ledger.transactions SET gross_amount = 5000001, net_amount = 5000001, expected_amount = 5000001
  WHERE type = 'deposit' AND source_id IS NOT NULL AND gross_amount = 5000000
-- a top-up was never made: ledger-sources-told
DELETE FROM platform.events WHERE type = 'refund_float.topped_up' AND data ->> 'amount' = '100'
-- a refund is paid twice: ledger-balances-equal-entries, ledger-float-entries, ledger-refunds-are-followed
UPDATE ledger.entries SET amount = 2 * amount WHERE transaction_id = ${of(REFUND)}
-- the gas of a refund: ledger-balances-equal-entries, ledger-refunds-are-followed
UPDATE ledger.entries SET amount = amount + sign(amount) WHERE transaction_id = ${of(REFUND)}
  AND unique_asset_id = '${COIN}'
-- a refund of another request: ledger-refunds-are-followed
UPDATE ledger.transactions SET payment_request_id = gen_random_uuid() WHERE source_id = '${REFUND}'
-- a refund stands in the journal as if nothing had been paid: ledger-balances-equal-entries, ledger-float-entries, ledger-refunds-are-followed
DELETE FROM ledger.entries WHERE transaction_id = ${of(REFUND)}
-- a float withdrawal of another amount: ledger-float-withdrawals-are-followed
UPDATE platform.events SET data = data || '{"amount": "7"}' WHERE aggregate_id = '${FLOAT_WITHDRAWAL}'
-- a float that holds more: ledger-balances-equal-entries, ledger-floats-are-what-came
UPDATE ledger.balances SET amount = amount + 1 WHERE ledger_account = 'refund_float'
`;

/** @returns names of the invariants that these changes break; the changes are rolled back */
async function brokenBy(sql: string): Promise<string[]> {
  const undone = new Error('undone');
  let broken: string[] = [];
  const tampering = ledger.database.run(async () => {
    for (const statement of sql.split(';')) await ledger.tamper(statement);
    broken = Object.keys(await ledger.breaches()).sort();
    throw undone;
  });
  await expect(tampering).rejects.toBe(undone);
  return broken;
}

interface TamperedLedger extends TestLedger {
  /**
   * Changes rows as someone with direct access to the database could: triggers are disabled, check constraints are not.
   */
  tamper(sql: string): Promise<void>;
}

/** Opens a ledger that posted these movements and then followed these events a minute ago. */
async function openTamperedLedger(
  movements: readonly Movement[],
  sources: readonly PublishedSourceEvent[] = [],
): Promise<TamperedLedger> {
  const ledger = await openLedger();
  await ledger.happen(movements);
  await ledger.post(movements);
  await ledger.publish(sources);
  await ledger.follow(sources);
  await ledger.advance(61);
  return {
    ...ledger,
    tamper: (sql) =>
      ledger.database.run(async () => {
        await ledger.database.query('SET LOCAL session_replication_role = replica');
        await ledger.database.query(sql);
      }),
  };
}

describe('The set of invariants of the ledger', () => {
  it('reports nothing without a change', async () => {
    expect(await ledger.breaches()).toEqual({});
  });

  it.each(
    TAMPERINGS.trim()
      .split(/^-- /m)
      .slice(1)
      .map((row) => [row.split(':')[0], row]),
  )('detects a change of rows: %s', async (_, row) => {
    const [, names, sql] = /^.+?: (.+)\n([^]+)$/.exec(row!)!;

    expect(await brokenBy(sql!)).toEqual(names!.split(', '));
  });

  it('allows a minute for events to be posted, and no more', async () => {
    const deposit = receivedDeposit();
    await ledger.happen([confirmedPayment(), deposit, reversalOf(deposit)]);
    await ledger.publish([
      settlementEvent(OWNER, newId(), 'processing', [
        emptiedAddress({ paymentRequestId: newId(), address: '0xab' }, 7n),
      ]),
      refundEvent(OWNER, newId(), { paymentRequestId: newId() }),
      topUpEvent(OWNER),
      floatWithdrawalEvent(OWNER, newId(), {}),
    ]);
    expect(await ledger.breaches()).toEqual({});

    await ledger.advance(61);

    expect(Object.keys(await ledger.breaches()).sort()).toEqual([
      ...['ledger-confirmed-posted-once', 'ledger-deposits-posted-once'],
      'ledger-float-withdrawals-are-followed',
      'ledger-refunds-are-followed',
      'ledger-reversals-posted-once',
      'ledger-settlements-are-followed',
      'ledger-top-ups-are-posted',
    ]);
  });
});
