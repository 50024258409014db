-- As before: rather fail, and be run again, than keep everybody waiting.
SET LOCAL lock_timeout = '3s';

-- What reads whole tables, apart from what locks them: writers go on meanwhile.
ALTER TABLE payments.transfers VALIDATE CONSTRAINT transfers_transaction_known;
ALTER TABLE payments.transfers VALIDATE CONSTRAINT transfers_deposits_do_not_count;
ALTER TABLE payments.transfers VALIDATE CONSTRAINT transfers_deposits_are_final;
ALTER TABLE payments.transfers VALIDATE CONSTRAINT transfers_agreed_before_final;
ALTER TABLE payments.transfers VALIDATE CONSTRAINT transfers_reversed_are_gone;
ALTER TABLE ledger.transactions VALIDATE CONSTRAINT transactions_payment_in_whole;
ALTER TABLE ledger.transactions VALIDATE CONSTRAINT transactions_deposit_whole;
ALTER TABLE ledger.transactions VALIDATE CONSTRAINT transactions_adjustment_whole;

-- Writers wait while these are built, for one reading of each table; so they come last.
CREATE UNIQUE INDEX transfers_balance_once ON payments.transfers (network, block_hash, to_address)
  WHERE canonical AND kind = 'balance';
-- What may become a deposit of a request.
CREATE INDEX transfers_not_booked_of_request ON payments.transfers (payment_request_id)
  WHERE canonical AND NOT counted AND deposited_at IS NULL;
CREATE INDEX transfers_awaiting_agreement ON payments.transfers (network, block_number)
  WHERE canonical AND awaits_agreement;
CREATE INDEX transfers_reversed ON payments.transfers (payment_request_id) WHERE reversed_at IS NOT NULL;
CREATE UNIQUE INDEX transactions_once_for_transfer ON ledger.transactions (transfer_id, type)
  WHERE transfer_id IS NOT NULL;
