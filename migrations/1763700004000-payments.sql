CREATE SCHEMA payments;

CREATE DOMAIN payments.amount AS numeric(78, 0)
  -- NaN sorts above every number, so the upper bound refuses it too.
  CHECK (VALUE >= 0 AND VALUE < 115792089237316195423570985008687907853269984665640564039457584007913129639936);

CREATE TABLE payments.payment_requests (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  point_of_sale_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('fixed')),
  status text NOT NULL CHECK (status IN
    ('pending', 'created', 'processing', 'completed', 'underpaid', 'overpaid', 'expired', 'failed')),
  network text NOT NULL,
  unique_asset_id text NOT NULL,
  currency text NOT NULL,
  decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 77),
  amount payments.amount NOT NULL CHECK (amount > 0),
  -- Sum of the counted transfers, final or not.
  received_amount payments.amount NOT NULL DEFAULT 0,
  reference_id text,
  "order" jsonb,
  -- The payment token as the payer was shown it.
  token text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at >= created_at),
  -- expires_at and the network's inclusion grace: the last block timestamp that counts.
  counts_until timestamptz NOT NULL CHECK (counts_until >= expires_at),
  confirmed_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  CHECK ((confirmed_at IS NOT NULL) = (status IN ('completed', 'underpaid', 'overpaid')))
);
-- What a network's watcher must end when it has read past the deadline.
CREATE INDEX payment_requests_to_end ON payments.payment_requests (network, status, counts_until)
  WHERE status IN ('created', 'processing');
-- The one open request of a physical point of sale.
CREATE INDEX payment_requests_open_on_point_of_sale ON payments.payment_requests (point_of_sale_id)
  WHERE status IN ('pending', 'created');

-- Every address ever shown for a request stays watched.
CREATE TABLE payments.deposit_addresses (
  network text NOT NULL,
  -- Lower-case hex, as logs are matched.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  unique_asset_id text NOT NULL,
  -- What the address commits to, for settling it however long from now.
  factory text NOT NULL,
  implementation text NOT NULL,
  settlement_terms_id uuid NOT NULL,
  settlement_address text NOT NULL,
  fee_recipient text NOT NULL,
  fee_basis_points integer NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 10000),
  home_chain_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (network, address)
);
CREATE INDEX deposit_addresses_of_request ON payments.deposit_addresses (payment_request_id);

CREATE TABLE payments.status_history (
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  step smallint NOT NULL CHECK (step >= 1),
  status text NOT NULL CHECK (status IN
    ('pending', 'created', 'processing', 'completed', 'underpaid', 'overpaid', 'confirmed', 'expired', 'failed')),
  at timestamptz NOT NULL,
  PRIMARY KEY (payment_request_id, step)
);
CREATE TRIGGER status_history_append_only BEFORE UPDATE OR DELETE ON payments.status_history
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER status_history_never_truncated BEFORE TRUNCATE ON payments.status_history
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

CREATE TABLE payments.transfers (
  id uuid PRIMARY KEY,
  network text NOT NULL,
  -- log: an ERC-20 Transfer event; call: native value of a transaction; balance: native value inside contract calls.
  kind text NOT NULL CHECK (kind IN ('log', 'call', 'balance')),
  transaction_hash text NOT NULL CHECK (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  index integer NOT NULL CHECK (index >= 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  block_time timestamptz NOT NULL,
  unique_asset_id text NOT NULL,
  from_address text NOT NULL,
  to_address text NOT NULL,
  amount payments.amount NOT NULL CHECK (amount > 0),
  -- As configured when it was read: asset and network may be withdrawn later.
  decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 77),
  required_confirmations integer NOT NULL CHECK (required_confirmations >= 1),
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- False once its block was reorganised away.
  canonical boolean NOT NULL DEFAULT true,
  -- Part of received_amount: in time, in the right asset, before the outcome.
  counted boolean NOT NULL,
  final boolean NOT NULL DEFAULT false,
  detected_at timestamptz NOT NULL,
  CHECK (canonical OR NOT counted)
);
CREATE UNIQUE INDEX transfers_once ON payments.transfers (network, kind, transaction_hash, index) WHERE canonical;
CREATE INDEX transfers_of_request ON payments.transfers (payment_request_id);
-- What a request is decided by, however much else was sent to its address.
CREATE INDEX transfers_counted ON payments.transfers (payment_request_id) WHERE counted;
CREATE INDEX transfers_by_block ON payments.transfers (network, block_number) WHERE canonical;
CREATE INDEX transfers_not_final ON payments.transfers (network, block_number) WHERE canonical AND NOT final;

-- How far each network has been read, moved by compare-and-set only.
CREATE TABLE payments.chain_cursors (
  network text PRIMARY KEY,
  head_number bigint NOT NULL,
  head_hash text NOT NULL,
  head_time timestamptz NOT NULL,
  -- The newest block read that can no longer disappear; null before there is one.
  final_number bigint,
  final_time timestamptz,
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (final_number <= head_number),
  CHECK ((final_number IS NULL) = (final_time IS NULL))
);

-- The blocks that were read, as far back as a reorganisation is looked for.
CREATE TABLE payments.blocks (
  network text NOT NULL,
  number bigint NOT NULL,
  hash text NOT NULL,
  parent_hash text NOT NULL,
  time timestamptz NOT NULL,
  PRIMARY KEY (network, number)
);
