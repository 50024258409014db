import { OTHER, type Tampering } from './tampering.js';

const ledger = (name: string, set: string, type: string, ...reportedBy: string[]): Tampering => ({
  name,
  sql: `UPDATE ledger.transactions SET ${set} WHERE type = '${type}' AND reference_id = 'paid'`,
  reportedBy,
});

export const ledgerTamperings: readonly Tampering[] = [
  ledger(
    'gross amount of a payment',
    'gross_amount = gross_amount + 1',
    'payment_in',
    'ledger-confirmed-posted-once',
    'ledger-custody-is-what-came',
    'ledger-payment-in-entries',
    'ledger-payment-in-tells-its-event',
  ),
  ledger(
    'fee of a payment, withheld from the merchant',
    'net_amount = net_amount - 1',
    'payment_in',
    'ledger-confirmed-posted-once',
    'ledger-payment-in-entries',
    'ledger-payment-in-tells-its-event',
  ),
  ledger(
    'expected amount of a payment',
    'expected_amount = expected_amount + 1',
    'payment_in',
    'ledger-confirmed-posted-once',
    'ledger-payment-in-tells-its-event',
  ),
  ledger(
    'asset of a payment',
    `unique_asset_id = 'nsandbox_tETH'`,
    'payment_in',
    'ledger-confirmed-posted-once',
    'ledger-custody-is-what-came',
    'ledger-payment-in-entries',
    'ledger-payment-in-tells-its-event',
  ),
  ledger('symbol of a payment', `currency = 'EURX'`, 'payment_in', 'ledger-payment-in-tells-its-event'),
  ledger('decimals of a payment', 'decimals = 18', 'payment_in', 'ledger-payment-in-tells-its-event'),
  ledger(
    'account of a payment',
    `account_id = (SELECT id FROM identity.accounts WHERE external_id = 'branch')`,
    'payment_in',
    'ledger-confirmed-posted-once',
    'ledger-custody-is-what-came',
    'ledger-one-owner',
    'ledger-payment-in-tells-its-event',
    'ledger-sequences-gapless',
  ),
  ledger('payer of a payment', `from_address = ${OTHER}`, 'payment_in', 'ledger-payment-in-tells-its-event'),
  ledger(
    'deposit address of a payment',
    `to_address = ${OTHER}`,
    'payment_in',
    'ledger-payment-in-tells-its-event',
  ),
  ledger('hash of a payment', `transaction_hash = '0x00'`, 'payment_in', 'ledger-payment-in-tells-its-event'),
  ledger('hash of a deposit', `transaction_hash = NULL`, 'deposit', 'ledger-deposit-tells-its-event'),
  ledger(
    'reference of a payment',
    `reference_id = 'other'`,
    'payment_in',
    'ledger-payment-in-tells-its-event',
  ),
  ledger(
    'time of a payment, backdated',
    `created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day'`,
    'payment_in',
    'ledger-payment-in-tells-its-event',
    'ledger-times-follow-numbers',
  ),
  {
    name: 'adjustment reduced, with its entries and balances',
    sql: `UPDATE ledger.transactions SET gross_amount = gross_amount + 100, net_amount = net_amount + 99, expected_amount = expected_amount + 100 WHERE type = 'adjustment';
      UPDATE ledger.entries e SET amount = amount + CASE ledger_account WHEN 'custody' THEN 100 WHEN 'merchant_payable' THEN -99 ELSE -1 END
        FROM ledger.transactions t WHERE t.id = e.transaction_id AND t.type = 'adjustment';
      UPDATE ledger.balances SET amount = amount + CASE ledger_account WHEN 'custody' THEN 100 WHEN 'merchant_payable' THEN -99 ELSE -1 END`,
    reportedBy: ['ledger-adjustment-tells-its-event', 'ledger-reversals-posted-once'],
  },
];
