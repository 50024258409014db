import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { confirmedPayment, receivedDeposit } from '../../testing/movements.js';
import { openTamperedLedger, type TamperedLedger } from '../../testing/open-tampered-ledger.js';
import {
  anOwner,
  COIN,
  emptied,
  floatWithdrawalEvent,
  refundEvent,
  settlementEvent,
  topUpEvent,
} from '../../testing/source-events.js';

const OWNER = anOwner();
const [DELIVERED, FLYING, REMOVED, EARLY, REFUND, FLOAT_WITHDRAWAL] = Array.from({ length: 6 }, () =>
  newId<string>(),
) as [string, string, string, string, string, string];
const GAS = { uniqueAssetId: COIN, amount: '21' };

let ledger: TamperedLedger;
/**
 * A settlement that is delivered, one in flight, one that was removed, one that took money which is not booked; a float that
 * is topped up, has refunded and was withdrawn from.
 */
beforeAll(async () => {
  const facts = { ...OWNER, feeBasisPoints: 150, receivedAmount: 1_033n };
  const paid = confirmedPayment({ ...facts, referenceId: 'delivered' });
  const more = receivedDeposit({ ...facts, paymentRequestId: paid.paymentRequestId, amount: 1_033n });
  const flying = confirmedPayment({ ...facts, referenceId: 'flying' });
  const waiting = confirmedPayment({ ...facts, referenceId: 'waiting' });
  const early = confirmedPayment({ ...facts, referenceId: 'early' });
  const whole = (payment: typeof paid, gross: bigint) => [
    emptied({ paymentRequestId: payment.paymentRequestId, address: payment.to }, gross, 150),
  ];
  const refund = { paymentRequestId: paid.paymentRequestId };
  ledger = await openTamperedLedger(
    [paid, more, flying, waiting, early],
    [
      settlementEvent(OWNER, DELIVERED, 'processing', whole(paid, 2_066n)),
      settlementEvent(OWNER, DELIVERED, 'completed', whole(paid, 2_066n)),
      settlementEvent(OWNER, REMOVED, 'processing', whole(flying, 1_033n)),
      settlementEvent(OWNER, REMOVED, 'failed', whole(flying, 1_033n)),
      settlementEvent(OWNER, FLYING, 'processing', whole(flying, 1_033n)),
      settlementEvent(OWNER, EARLY, 'processing', whole(early, 1_100n)),
      topUpEvent(OWNER),
      topUpEvent(OWNER, { uniqueAssetId: COIN, currency: 'ETH', decimals: 18, amount: '100' }),
      refundEvent(OWNER, REFUND, refund),
      refundEvent(OWNER, REFUND, { ...refund, status: 'completed', gas: GAS, transactionHash: '0x01' }),
      floatWithdrawalEvent(OWNER, FLOAT_WITHDRAWAL, {}),
    ],
  );
}, 60_000);
afterAll(() => ledger.close('any'));

const of = (source: string) => `(SELECT id FROM ledger.transactions WHERE source_id = '${source}')`;
const payment = (reference: string) =>
  `(SELECT id FROM ledger.transactions WHERE reference_id = '${reference}')`;

/** Names of what is broken once this was run; nothing of it stays. */
async function brokenBy(...statements: string[]): Promise<string[]> {
  const undone = new Error('undone');
  let broken: string[] = [];
  await ledger.database
    .run(async () => {
      for (const sql of statements) await ledger.tamper(sql);
      broken = Object.keys(await ledger.breaches()).sort();
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return broken;
}

describe('The invariants of settlements, refunds and floats', () => {
  it('hold while nobody tampers', async () => {
    expect(await ledger.breaches()).toEqual({});
  });

  it.each([
    [
      'the net of a withdraw grows',
      `UPDATE ledger.transactions SET net_amount = net_amount + 1 WHERE source_id = '${DELIVERED}'`,
      ['ledger-settlement-entries', 'ledger-settlements-are-followed'],
    ],
    [
      'a withdraw in flight is marked as delivered',
      `INSERT INTO ledger.status_changes SELECT id, 2, organization_id, account_id, organization_sequence,
        account_sequence, 'completed', created_at FROM ledger.transactions WHERE source_id = '${FLYING}'`,
      [
        'ledger-in-flight-is-under-way',
        'ledger-settlement-entries',
        'ledger-settlements-are-followed',
        'ledger-sources-told',
      ],
    ],
    [
      'a delivered withdraw is in flight again',
      `DELETE FROM ledger.status_changes WHERE transaction_id = ${of(DELIVERED)}`,
      ['ledger-in-flight-is-under-way', 'ledger-settlement-entries', 'ledger-settlements-are-followed'],
    ],
    [
      'a status has another number than its transaction',
      `UPDATE ledger.status_changes SET account_sequence = 99 WHERE transaction_id = ${of(DELIVERED)}`,
      ['ledger-statuses-follow'],
    ],
    [
      'a status is left out',
      `UPDATE ledger.status_changes SET step = 3 WHERE transaction_id = ${of(DELIVERED)}`,
      ['ledger-statuses-follow'],
    ],
    [
      'a status runs backward in time',
      `UPDATE ledger.status_changes SET at = at - interval '1 day' WHERE transaction_id = ${of(DELIVERED)}`,
      ['ledger-statuses-follow'],
    ],
    [
      'the hash of a withdraw',
      `UPDATE ledger.status_changes SET transaction_hash = '0x99' WHERE transaction_id = ${of(DELIVERED)}`,
      ['ledger-settlements-are-followed'],
    ],
    [
      'the settlement address of a withdraw',
      `UPDATE ledger.transactions SET to_address = from_address WHERE source_id = '${DELIVERED}'`,
      ['ledger-settlements-are-followed'],
    ],
    [
      'a withdraw is erased with its events',
      `DELETE FROM ledger.transactions WHERE source_id = '${FLYING}';
        DELETE FROM platform.events WHERE aggregate_id = '${FLYING}'`,
      ['ledger-in-flight-is-under-way', 'ledger-sequences-gapless'],
    ],
    [
      'a settlement has no event',
      `DELETE FROM platform.events WHERE aggregate_id = '${FLYING}'`,
      ['ledger-sources-told'],
    ],
    [
      'a withdraw is not written',
      `UPDATE ledger.transactions SET source_id = gen_random_uuid() WHERE source_id = '${FLYING}'`,
      ['ledger-links-are-of-one-settlement', 'ledger-settlements-are-followed', 'ledger-sources-told'],
    ],
    [
      'rounding is paid out to the merchant',
      `UPDATE ledger.entries SET amount = amount + CASE ledger_account WHEN 'rounding' THEN 1 ELSE -1 END
        WHERE transaction_id = ${of(DELIVERED)} AND ledger_account IN ('fees_delivered', 'merchant_payable') AND line > 2;
        UPDATE ledger.entries SET amount = amount + 2 WHERE transaction_id = ${of(DELIVERED)} AND ledger_account = 'in_flight' AND line > 2`,
      ['ledger-balances-equal-entries', 'ledger-custody-is-what-came', 'ledger-settlement-entries'],
    ],
    [
      'what a settlement delivered is linked to none',
      `DELETE FROM ledger.settled_transactions WHERE transaction_id = ${payment('delivered')}`,
      ['ledger-payouts-are-covered', 'ledger-settlement-entries'],
    ],
    [
      'a payment is linked to two settlements',
      `INSERT INTO ledger.settled_transactions SELECT ${payment('flying')}, source_id, id, organization_id, account_id
        FROM ledger.transactions WHERE source_id = '${DELIVERED}'`,
      ['ledger-links-are-of-one-settlement', 'ledger-settlement-entries'],
    ],
    [
      'a link is of another account',
      `UPDATE ledger.settled_transactions SET account_id = gen_random_uuid() WHERE transaction_id = ${payment('flying')}`,
      ['ledger-links-are-of-one-settlement'],
    ],
    [
      'a link names another settlement than its withdraw',
      `UPDATE ledger.settled_transactions SET settlement_id = gen_random_uuid() WHERE transaction_id = ${payment('delivered')}`,
      ['ledger-links-are-of-one-settlement'],
    ],
    [
      'what was not booked yet is forgotten',
      `UPDATE ledger.uncovered_payouts SET amount = 0`,
      ['ledger-payouts-are-covered'],
    ],
    [
      'a top-up grows, with its entries and balances',
      `UPDATE ledger.transactions SET gross_amount = 5000001, net_amount = 5000001, expected_amount = 5000001
        WHERE type = 'deposit' AND source_id IS NOT NULL AND gross_amount = 5000000`,
      ['ledger-float-entries', 'ledger-floats-are-what-came', 'ledger-top-ups-are-posted'],
    ],
    [
      'a top-up was never made',
      `DELETE FROM platform.events WHERE type = 'refund_float.topped_up' AND data ->> 'amount' = '100'`,
      ['ledger-sources-told'],
    ],
    [
      'a refund is paid twice',
      `UPDATE ledger.entries SET amount = 2 * amount WHERE transaction_id = ${of(REFUND)}`,
      ['ledger-balances-equal-entries', 'ledger-float-entries', 'ledger-refunds-are-followed'],
    ],
    [
      'the gas of a refund',
      `UPDATE ledger.entries SET amount = amount + sign(amount) WHERE transaction_id = ${of(REFUND)}
        AND unique_asset_id = '${COIN}'`,
      ['ledger-balances-equal-entries', 'ledger-refunds-are-followed'],
    ],
    [
      'a refund of another request',
      `UPDATE ledger.transactions SET payment_request_id = gen_random_uuid() WHERE source_id = '${REFUND}'`,
      ['ledger-refunds-are-followed'],
    ],
    [
      'a refund stands in the journal as if nothing had been paid',
      `DELETE FROM ledger.entries WHERE transaction_id = ${of(REFUND)}`,
      ['ledger-balances-equal-entries', 'ledger-float-entries', 'ledger-refunds-are-followed'],
    ],
    [
      'a float withdrawal of another amount',
      `UPDATE platform.events SET data = data || '{"amount": "7"}' WHERE aggregate_id = '${FLOAT_WITHDRAWAL}'`,
      ['ledger-float-withdrawals-are-followed'],
    ],
    [
      'a float that holds more',
      `UPDATE ledger.balances SET amount = amount + 1 WHERE ledger_account = 'refund_float'`,
      ['ledger-balances-equal-entries', 'ledger-floats-are-what-came'],
    ],
  ])('are broken where %s', async (_, sql, broken) => {
    expect(await brokenBy(...sql.split(';'))).toEqual([...broken].sort());
  });

  it('allow a fact a minute on its way, and no more', async () => {
    const late = [
      settlementEvent(OWNER, newId(), 'processing', [
        emptied({ paymentRequestId: newId(), address: '0xab' }, 7n),
      ]),
      refundEvent(OWNER, newId(), { paymentRequestId: newId() }),
      topUpEvent(OWNER),
      floatWithdrawalEvent(OWNER, newId(), {}),
    ];
    await ledger.publish(late);
    expect(await ledger.breaches()).toEqual({});

    await ledger.advance(61);

    expect(Object.keys(await ledger.breaches()).sort()).toEqual([
      'ledger-float-withdrawals-are-followed',
      'ledger-refunds-are-followed',
      'ledger-settlements-are-followed',
      'ledger-top-ups-are-posted',
    ]);
  });
});
