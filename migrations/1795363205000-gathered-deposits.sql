SET LOCAL lock_timeout = '3s';

-- Transfers below the minimum of their asset become deposits together, so that nobody fills the ledger with postings of
-- next to nothing: anyone can send any number of transfers to an address.

ALTER TABLE payments.transfers
  -- The UTC day of its block, where the amount was below the minimum of its asset when it was read: as a deposit it is
  -- posted with the others of that day. Null: posted by itself, as by a process that does not know of this column.
  ADD COLUMN gathered_on date,
  -- The transfer that the deposit is named by which it is part of. Null: it is no deposit, or one by itself.
  ADD COLUMN deposit_id uuid,
  ADD CONSTRAINT transfers_gathered_are_deposits CHECK (deposit_id IS NULL OR deposited_at IS NOT NULL) NOT VALID,
  ADD CONSTRAINT transfers_gathered_have_a_day CHECK (deposit_id IS NULL OR gathered_on IS NOT NULL) NOT VALID;

-- The final transfers of a request that are to be posted as deposits: those posted by themselves, and each day's.
CREATE INDEX transfers_to_post_by_day ON payments.transfers
  (payment_request_id, gathered_on, network, unique_asset_id, block_number)
  WHERE canonical AND final AND NOT counted AND deposited_at IS NULL;
DROP INDEX payments.transfers_to_post_of_request;
CREATE INDEX transfers_by_deposit ON payments.transfers (deposit_id) WHERE deposit_id IS NOT NULL;
