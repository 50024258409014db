SET LOCAL lock_timeout = '3s';

ALTER TABLE ledger.transactions
  VALIDATE CONSTRAINT transactions_deposit_complete,
  VALIDATE CONSTRAINT transactions_withdraw_complete,
  VALIDATE CONSTRAINT transactions_refund_complete,
  VALIDATE CONSTRAINT transactions_source_of_type;
ALTER TABLE ledger.entries VALIDATE CONSTRAINT entries_ledger_account_check;
ALTER TABLE ledger.balances VALIDATE CONSTRAINT balances_ledger_account_check;
