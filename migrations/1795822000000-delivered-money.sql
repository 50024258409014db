-- The ledger account of money that payers sent straight into a merchant's own wallet.
SET LOCAL lock_timeout = '3s';

ALTER TABLE ledger.entries DROP CONSTRAINT entries_ledger_account_check,
  ADD CONSTRAINT entries_ledger_account CHECK (ledger_account IN ('custody', 'in_flight', 'delivered', 'refund_float',
    'fees_delivered', 'merchant_payable', 'service_fees', 'rounding', 'gas_spent')) NOT VALID;
ALTER TABLE ledger.balances DROP CONSTRAINT balances_ledger_account_check,
  ADD CONSTRAINT balances_ledger_account CHECK (ledger_account IN ('custody', 'in_flight', 'delivered', 'refund_float',
    'fees_delivered', 'merchant_payable', 'service_fees', 'rounding', 'gas_spent')) NOT VALID;
