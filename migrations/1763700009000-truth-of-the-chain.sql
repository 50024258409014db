-- As before: rather fail, and be run again, than keep everybody waiting behind a table that every request needs.
SET LOCAL lock_timeout = '3s';

ALTER TABLE payments.transfers
  -- Nobody knows which transaction brought value that arrived inside a contract call.
  ALTER COLUMN transaction_hash DROP NOT NULL,
  ADD CONSTRAINT transfers_transaction_known CHECK ((transaction_hash IS NULL) = (kind = 'balance')) NOT VALID,
  -- Symbol of its asset when it was read; null in rows from before it was kept.
  ADD COLUMN currency text,
  -- So large that a second endpoint must tell the same of it before it is final.
  ADD COLUMN awaits_agreement boolean NOT NULL DEFAULT false,
  -- Final money beside what its request received: posted as a deposit.
  ADD COLUMN deposited_at timestamptz,
  -- It was final and posted, and has disappeared from the chain: posted as an adjustment.
  ADD COLUMN reversed_at timestamptz,
  ADD CONSTRAINT transfers_deposits_do_not_count CHECK (deposited_at IS NULL OR NOT counted) NOT VALID,
  ADD CONSTRAINT transfers_deposits_are_final CHECK (deposited_at IS NULL OR final) NOT VALID,
  ADD CONSTRAINT transfers_agreed_before_final CHECK (NOT (awaits_agreement AND final)) NOT VALID,
  ADD CONSTRAINT transfers_reversed_are_gone CHECK (reversed_at IS NULL OR NOT canonical) NOT VALID;

ALTER TABLE payments.chain_cursors
  -- What another endpoint tells otherwise, in a sentence, and since when; finality waits meanwhile.
  ADD COLUMN disagreement text,
  ADD COLUMN disagrees_since timestamptz,
  ADD CONSTRAINT chain_cursors_disagreement_is_whole CHECK (num_nonnulls(disagreement, disagrees_since) IN (0, 2)),
  -- By configuration: how far the head may lie behind the clock, and how long endpoints may disagree, before new
  -- requests are refused.
  ADD COLUMN max_lag_seconds integer CHECK (max_lag_seconds > 0),
  -- The search for value that arrived inside contract calls goes round all addresses: the last one asked for, and when
  -- this round began. Null: the next round is to begin.
  ADD COLUMN balances_asked_to text,
  -- Time of the newest block at which the balances of open native requests were compared with the books.
  ADD COLUMN balances_known_at timestamptz,
  ADD COLUMN balances_round_began_at timestamptz;

-- Native coin that deposit addresses paid out, so that a balance says what arrived. Rows of a block go with it.
CREATE TABLE payments.native_payouts (
  network text NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
  address text NOT NULL,
  amount payments.amount NOT NULL CHECK (amount > 0),
  PRIMARY KEY (network, transaction_hash, log_index),
  FOREIGN KEY (network, address) REFERENCES payments.deposit_addresses (network, address)
);
CREATE INDEX native_payouts_of_address ON payments.native_payouts (network, address);
CREATE INDEX native_payouts_by_block ON payments.native_payouts (network, block_number);

-- Addresses that are not to be settled until an operator has looked: a credit of theirs was reversed.
CREATE TABLE payments.settlement_holds (
  id uuid PRIMARY KEY,
  network text NOT NULL,
  address text NOT NULL,
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  transfer_id uuid NOT NULL UNIQUE REFERENCES payments.transfers (id),
  held_at timestamptz NOT NULL,
  released_at timestamptz,
  -- Who released it, and why.
  released_by text,
  release_reason text,
  FOREIGN KEY (network, address) REFERENCES payments.deposit_addresses (network, address),
  CHECK (num_nonnulls(released_at, released_by, release_reason) IN (0, 3))
);
CREATE INDEX settlement_holds_open ON payments.settlement_holds (network, address) WHERE released_at IS NULL;

-- For whoever settles: nothing of these addresses may be sent now.
CREATE VIEW payments.public_settlement_holds AS
  SELECT DISTINCT network, address FROM payments.settlement_holds WHERE released_at IS NULL;

ALTER TABLE ledger.transactions
  -- The transfer that a deposit books, or an adjustment reverses.
  ADD COLUMN transfer_id uuid,
  -- Value that arrived inside a contract call has no transaction that is known.
  DROP CONSTRAINT transactions_payment_in_complete,
  ADD CONSTRAINT transactions_payment_in_whole CHECK (
    type <> 'payment_in' OR (status = 'completed' AND gross_amount > 0 AND payment_request_id IS NOT NULL
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT transactions_deposit_whole CHECK (
    type <> 'deposit' OR (status = 'completed' AND gross_amount > 0 AND expected_amount = gross_amount
      AND payment_request_id IS NOT NULL AND transfer_id IS NOT NULL
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT transactions_adjustment_whole CHECK (
    type <> 'adjustment' OR (status = 'completed' AND gross_amount < 0 AND net_amount <= 0
      AND payment_request_id IS NOT NULL AND transfer_id IS NOT NULL
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL)) NOT VALID;
