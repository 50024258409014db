import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { confirmedPayment } from '../../testing/movements.js';
import { openTamperedLedger, type TamperedLedger } from '../../testing/open-tampered-ledger.js';

const OWNER = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };

describe('The invariants of the ledger', () => {
  let ledger: TamperedLedger;
  beforeEach(async () => {
    ledger = await openTamperedLedger(
      [1, 2, 3].map((n) => confirmedPayment({ ...OWNER, feeBasisPoints: 100, referenceId: `${n}` })),
    );
  });
  afterEach(() => ledger.close('any'));

  const second = `(SELECT id FROM ledger.transactions WHERE reference_id = '2')`;

  it('hold while nobody tampers', async () => {
    expect(await ledger.breaches()).toEqual({});
  });

  it.each([
    [
      'an entry grows',
      `UPDATE ledger.entries SET amount = amount + 1 WHERE transaction_id = ${second} AND line = 1`,
      [
        ...['ledger-entries-balance', 'ledger-balances-equal-entries', 'ledger-payment-in-entries'],
        'ledger-statements-are-the-journal',
      ],
    ],
    [
      'entries vanish',
      `DELETE FROM ledger.entries WHERE transaction_id = ${second}`,
      ['ledger-balances-equal-entries', 'ledger-payment-in-entries'],
    ],
    [
      'an entry changes its account',
      `UPDATE ledger.entries SET ledger_account = 'service_fees'
        WHERE transaction_id = ${second} AND line = 2`,
      ['ledger-balances-equal-entries', 'ledger-payment-in-entries'],
    ],
    [
      'the entries are of another asset',
      `UPDATE ledger.entries SET unique_asset_id = 'other' WHERE transaction_id = ${second}`,
      ['ledger-balances-equal-entries', 'ledger-payment-in-entries'],
    ],
    [
      'a balance differs',
      `UPDATE ledger.balances SET amount = amount + 1 WHERE ledger_account = 'custody'`,
      ['ledger-balances-equal-entries', 'ledger-custody-is-what-came'],
    ],
    [
      'a balance vanishes',
      `DELETE FROM ledger.balances WHERE ledger_account = 'custody'`,
      ['ledger-balances-equal-entries', 'ledger-custody-is-what-came'],
    ],
    [
      'a balance comes from nowhere',
      `INSERT INTO ledger.balances SELECT organization_id, account_id, 'custody', 'other', 1
        FROM ledger.balances LIMIT 1`,
      ['ledger-balances-equal-entries', 'ledger-custody-is-what-came'],
    ],
    [
      'entries are another account’s',
      `UPDATE ledger.entries SET account_id = gen_random_uuid() WHERE transaction_id = ${second}`,
      ['ledger-balances-equal-entries', 'ledger-one-owner', 'ledger-statements-are-the-journal'],
    ],
    [
      'an account passes to another organization',
      `UPDATE ledger.sequences SET organization_id = gen_random_uuid()
        WHERE account_id IS NOT NULL`,
      ['ledger-one-owner'],
    ],
    [
      'a counter is ahead',
      `UPDATE ledger.sequences SET last = 4 WHERE account_id IS NULL`,
      ['ledger-sequences-gapless'],
    ],
    [
      'a counter is missing',
      `DELETE FROM ledger.sequences WHERE account_id IS NULL`,
      ['ledger-sequences-gapless'],
    ],
    [
      'a number is left out',
      `UPDATE ledger.transactions SET account_sequence = 9 WHERE reference_id = '3'`,
      ['ledger-sequences-gapless'],
    ],
    [
      'a time runs backward',
      `UPDATE ledger.transactions SET created_at = created_at - interval '1 second' WHERE reference_id = '2'`,
      ['ledger-times-follow-numbers'],
    ],
    [
      'a record is of less than was received',
      `UPDATE ledger.transactions SET gross_amount = 9999999, net_amount = 9900000
        WHERE reference_id = '2'`,
      ['ledger-payment-in-entries', 'ledger-confirmed-posted-once', 'ledger-custody-is-what-came'],
    ],
    [
      'a payment_in was never confirmed',
      `DELETE FROM platform.events WHERE data ->> 'referenceId' = '2'`,
      ['ledger-payment-in-confirmed'],
    ],
    [
      'a payment is confirmed twice with different amounts',
      `INSERT INTO platform.events
        (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
        SELECT gen_random_uuid(), type, aggregate_id, organization_id, account_id, occurred_at,
          data || '{"receivedAmount": "1"}' FROM platform.events LIMIT 1`,
      ['ledger-confirmed-posted-once'],
    ],
    [
      'a closed month has another statement than the journal',
      `WITH closed AS (INSERT INTO ledger.closed_periods
          SELECT organization_id, period, now(), 'owner', 3, true FROM ledger.entries LIMIT 1)
        UPDATE ledger.sequences SET closed_before = (SELECT max(period) + interval '1 month' FROM ledger.entries)
        WHERE account_id IS NULL`,
      ['ledger-closed-statements-are-the-journal'],
    ],
    [
      'a month between two closed ones is open',
      `WITH closed AS (INSERT INTO ledger.closed_periods SELECT scope_id, period::date, now(), 'owner', 3
          FROM ledger.sequences, (VALUES ('2026-01-01'), ('2026-03-01')) v (period) WHERE account_id IS NULL)
        UPDATE ledger.sequences SET closed_before = '2026-04-01' WHERE account_id IS NULL`,
      ['ledger-closed-periods-in-order'],
    ],
  ])('are broken where %s', async (_, sql, broken) => {
    await ledger.tamper(sql);

    expect(Object.keys(await ledger.breaches()).sort()).toEqual([...broken].sort());
  });
});
