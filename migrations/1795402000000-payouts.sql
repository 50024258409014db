-- What deposit addresses paid out, of every asset: what settlement's records are made from. Rows of `native_payouts`, which
-- releases before this one read and write, are taken over by the watcher: it knows which asset is a network's native coin.
SET LOCAL lock_timeout = '3s';

-- One row for each `Settled` log of a known factory for a catalogued asset, whoever had it emitted.
CREATE TABLE payments.payouts (
  id uuid PRIMARY KEY,
  -- What one transaction paid out of one account's addresses by one contract, in one block; its events' aggregate.
  group_id uuid NOT NULL,
  network text NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash <> ''),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  block_hash text NOT NULL CHECK (block_hash <> ''),
  -- Null where an earlier release recorded it and the block is not kept any more.
  block_time timestamptz,
  -- The contract that paid it out.
  from_address text NOT NULL,
  address text NOT NULL,
  tag text NOT NULL DEFAULT '',
  unique_asset_id text NOT NULL,
  -- As configured when it was read.
  currency text NOT NULL,
  decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 77),
  to_settlement payments.amount NOT NULL,
  to_fee payments.amount NOT NULL,
  -- Not a foreign key: a pruned request may be paid out, if money came to it that has not been noticed yet.
  payment_request_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- False once its block was removed by a reorganisation, or a second reading did not show it like this.
  canonical boolean NOT NULL DEFAULT true,
  -- Also of one that is not canonical any more: that it was final before.
  final boolean NOT NULL DEFAULT false,
  CONSTRAINT payouts_not_of_nothing CHECK (to_settlement > 0 OR to_fee > 0)
);
CREATE UNIQUE INDEX payouts_unique_by_log ON payments.payouts (network, transaction_hash, log_index) WHERE canonical;
CREATE INDEX payouts_of_group ON payments.payouts (group_id);
CREATE INDEX payouts_of_address ON payments.payouts (network, address);
CREATE INDEX payouts_of_request ON payments.payouts (payment_request_id);
CREATE INDEX payouts_by_block ON payments.payouts (network, block_number) WHERE canonical;
CREATE INDEX payouts_not_final ON payments.payouts (network, block_number) WHERE canonical AND NOT final;

-- Parts of the context's contract. Every deposit address ever shown, also of a request that was pruned.
CREATE VIEW payments.public_known_addresses AS
  SELECT network, address, tag, payment_request_id, organization_id, account_id, derivation, settlement_terms_id,
    settlement_address, fee_recipient, fee_basis_points
  FROM payments.known_addresses;

CREATE VIEW payments.public_payouts AS
  SELECT group_id, network, transaction_hash, log_index, block_number, block_hash, from_address, address, tag, unique_asset_id,
    to_settlement, to_fee, payment_request_id, organization_id, account_id, canonical, final
  FROM payments.payouts;
