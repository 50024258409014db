-- Validation reads the whole tables, so it stands apart from what locks them. Writers continue meanwhile.
SET LOCAL lock_timeout = '3s';

ALTER TABLE ledger.entries VALIDATE CONSTRAINT entries_ledger_account;
ALTER TABLE ledger.balances VALIDATE CONSTRAINT balances_ledger_account;
