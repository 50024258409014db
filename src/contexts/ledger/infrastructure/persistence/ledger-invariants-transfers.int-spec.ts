import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { confirmedPayment, receivedDeposit, reversalOf } from '../../testing/movements.js';
import { openTamperedLedger, type TamperedLedger } from '../../testing/open-tampered-ledger.js';

const OWNER = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>(), feeBasisPoints: 100 };

describe('The invariants of deposits and reversals', () => {
  let ledger: TamperedLedger;
  /** A payment of which a part disappears, a deposit that disappears, and one that stays. */
  beforeEach(async () => {
    const payment = confirmedPayment({ ...OWNER, referenceId: 'paid' });
    const gone = receivedDeposit({ ...OWNER, referenceId: 'gone' });
    ledger = await openTamperedLedger([
      payment,
      { ...reversalOf(payment, { after: 6_000_001n }), referenceId: 'part of paid' },
      gone,
      { ...reversalOf(gone), referenceId: 'all of gone' },
      receivedDeposit({ ...OWNER, referenceId: 'stays' }),
    ]);
  });
  afterEach(() => ledger.close('any'));

  const idOf = (reference: string) =>
    `(SELECT id FROM ledger.transactions WHERE reference_id = '${reference}')`;

  it('hold while nobody tampers', async () => {
    expect(await ledger.breaches()).toEqual({});
  });

  it.each([
    [
      'the entries of a deposit vanish',
      `DELETE FROM ledger.entries WHERE transaction_id = ${idOf('stays')}`,
      ['ledger-balances-equal-entries', 'ledger-deposit-entries'],
    ],
    [
      'a reversal is an entry the wrong way round',
      `UPDATE ledger.entries SET amount = -amount WHERE transaction_id = ${idOf('part of paid')}`,
      ['ledger-adjustment-entries', 'ledger-balances-equal-entries'],
    ],
    [
      'a deposit is of more than came',
      `UPDATE ledger.transactions SET gross_amount = 4000001, expected_amount = 4000001
        WHERE reference_id = 'stays'`,
      ['ledger-custody-is-what-came', 'ledger-deposit-entries', 'ledger-deposits-posted-once'],
    ],
    [
      'a deposit is charged a unit too much',
      `UPDATE ledger.transactions SET net_amount = net_amount - 1 WHERE reference_id = 'stays'`,
      ['ledger-deposit-entries', 'ledger-deposits-posted-once'],
    ],
    [
      'a reversal takes a unit too little from the merchant',
      `UPDATE ledger.transactions SET net_amount = net_amount + 1 WHERE reference_id = 'part of paid'`,
      ['ledger-adjustment-entries', 'ledger-reversals-posted-once'],
    ],
    [
      'a deposit is of another transfer',
      `UPDATE ledger.transactions SET transfer_id = gen_random_uuid() WHERE reference_id = 'stays'`,
      ['ledger-deposits-posted-once', 'ledger-transfers-told'],
    ],
    [
      'a reversal is not posted',
      `UPDATE platform.events SET id = gen_random_uuid(),
        data = data || jsonb_build_object('transferId', gen_random_uuid()) WHERE data ->> 'referenceId' = 'part of paid'`,
      ['ledger-reversals-posted-once', 'ledger-transfers-told'],
    ],
    [
      'a deposit has no event',
      `DELETE FROM platform.events WHERE data ->> 'referenceId' = 'stays'`,
      ['ledger-transfers-told'],
    ],
    [
      'a deposit is another account’s',
      `UPDATE platform.events SET account_id = gen_random_uuid() WHERE data ->> 'referenceId' = 'stays'`,
      ['ledger-deposits-posted-once'],
    ],
    [
      'a deposit is of another asset',
      `UPDATE platform.events SET data = data || '{"uniqueAssetId": "other"}' WHERE data ->> 'referenceId' = 'stays'`,
      ['ledger-deposits-posted-once'],
    ],
    [
      'a reversal comes before what it reverses',
      `UPDATE ledger.transactions SET account_sequence = 9 WHERE reference_id = 'gone'`,
      ['ledger-adjustments-reverse-what-stands', 'ledger-sequences-gapless'],
    ],
    [
      'a reversal reverses nothing',
      `UPDATE ledger.transactions SET payment_request_id = gen_random_uuid() WHERE reference_id = 'paid'`,
      [
        'ledger-adjustments-reverse-what-stands',
        'ledger-confirmed-posted-once',
        'ledger-payment-in-confirmed',
      ],
    ],
    [
      'more is reversed than there was',
      `UPDATE ledger.transactions SET gross_amount = -10000001, expected_amount = -10000001
        WHERE reference_id = 'part of paid'`,
      [
        'ledger-adjustment-entries',
        'ledger-adjustments-reverse-what-stands',
        'ledger-custody-is-what-came',
        'ledger-reversals-posted-once',
      ],
    ],
    [
      'a part of a deposit is reversed',
      `UPDATE ledger.transactions SET gross_amount = -1, net_amount = -1, expected_amount = -1
        WHERE reference_id = 'all of gone'`,
      [
        'ledger-adjustment-entries',
        'ledger-adjustments-reverse-what-stands',
        'ledger-custody-is-what-came',
        'ledger-reversals-posted-once',
      ],
    ],
  ])('are broken where %s', async (_, sql, broken) => {
    await ledger.tamper(sql);

    expect(Object.keys(await ledger.breaches()).sort()).toEqual(broken);
  });
});
