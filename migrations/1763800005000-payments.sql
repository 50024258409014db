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
  -- Network, asset and amount are null while a checkout waits for the payer to select an asset.
  network text,
  unique_asset_id text,
  currency text,
  decimals smallint CHECK (decimals BETWEEN 0 AND 77),
  amount payments.amount CHECK (amount > 0),
  -- Sum of the counted transfers, final or not.
  received_amount payments.amount NOT NULL DEFAULT 0,
  reference_id text,
  "order" jsonb,
  -- The payment token as the payer was shown it.
  token text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- expires_at and the network's inclusion grace: the last block timestamp that counts.
  counts_until timestamptz NOT NULL,
  confirmed_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT payment_requests_expire_after_creation CHECK (expires_at >= created_at),
  CONSTRAINT payment_requests_count_until_expiry CHECK (counts_until >= expires_at),
  CONSTRAINT payment_requests_confirmed_with_outcome
    CHECK ((confirmed_at IS NOT NULL) = (status IN ('completed', 'underpaid', 'overpaid'))),
  CONSTRAINT payment_requests_selection_complete
    CHECK (num_nonnulls(network, unique_asset_id, currency, decimals, amount) IN (0, 5)),
  CONSTRAINT payment_requests_pending_until_selected
    CHECK ((network IS NULL AND status IN ('pending', 'expired', 'failed'))
      OR (network IS NOT NULL AND status <> 'pending'))
);
-- The open requests that a network's watcher ends once it has read past their deadline.
CREATE INDEX payment_requests_open_by_deadline ON payments.payment_requests (network, status, counts_until)
  WHERE status IN ('created', 'processing');
-- The one open request of a physical point of sale.
CREATE INDEX payment_requests_open_on_point_of_sale ON payments.payment_requests (point_of_sale_id)
  WHERE status IN ('pending', 'created');
-- Requests without a network expire by the clock alone.
CREATE INDEX payment_requests_pending_by_expiry ON payments.payment_requests (expires_at) WHERE status = 'pending';

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

-- Every address that was ever shown for a request stays watched.
CREATE TABLE payments.deposit_addresses (
  network text NOT NULL,
  -- In the one spelling by which transfers are matched; on EVM networks lower-case hexadecimal.
  address text NOT NULL CHECK (address <> ''),
  -- Memo by which an address that serves many requests tells them apart; empty where the address is enough.
  tag text NOT NULL DEFAULT '',
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  unique_asset_id text NOT NULL,
  -- What the address is derived from, which only the family of the network reads: settlement needs it at any later
  -- time, and the terms below.
  derivation jsonb NOT NULL,
  settlement_terms_id uuid NOT NULL,
  settlement_address text NOT NULL,
  fee_recipient text NOT NULL,
  fee_basis_points integer NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 10000),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (network, address, tag)
);
CREATE INDEX deposit_addresses_of_request ON payments.deposit_addresses (payment_request_id);

CREATE TABLE payments.transfers (
  id uuid PRIMARY KEY,
  network text NOT NULL,
  -- log: an ERC-20 Transfer event; call: native value of a transaction; balance: an internal transfer of native value,
  -- found by the balance of the address.
  kind text NOT NULL CHECK (kind IN ('log', 'call', 'balance')),
  -- Null for an internal transfer: a balance does not say which transaction changed it.
  transaction_hash text CHECK (transaction_hash <> ''),
  index integer NOT NULL CHECK (index >= 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  block_time timestamptz NOT NULL,
  unique_asset_id text NOT NULL,
  -- Symbol and decimals of the asset, and the required confirmations, as configured when the transfer was read: the
  -- asset and the network may be removed from the configuration later.
  currency text NOT NULL,
  decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 77),
  required_confirmations integer NOT NULL CHECK (required_confirmations >= 1),
  from_address text NOT NULL,
  to_address text NOT NULL,
  -- As the tag of the deposit address.
  to_tag text NOT NULL DEFAULT '',
  amount payments.amount NOT NULL CHECK (amount > 0),
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- False once its block was removed by a reorganisation.
  canonical boolean NOT NULL DEFAULT true,
  -- Part of received_amount: in time, in the right asset, before the outcome.
  counted boolean NOT NULL,
  final boolean NOT NULL DEFAULT false,
  -- The amount is so large that a second endpoint must confirm the transfer before it becomes final.
  awaits_cross_check boolean NOT NULL DEFAULT false,
  detected_at timestamptz NOT NULL,
  -- When the final transfer was posted as a deposit, because it is not part of what its request received.
  deposited_at timestamptz,
  -- When the posting of a final transfer was reversed by an adjustment, because the transfer disappeared from the chain.
  reversed_at timestamptz,
  CONSTRAINT transfers_transaction_hash_unless_balance CHECK ((transaction_hash IS NULL) = (kind = 'balance')),
  CONSTRAINT transfers_counted_are_canonical CHECK (canonical OR NOT counted),
  CONSTRAINT transfers_cross_checked_before_final CHECK (NOT (awaits_cross_check AND final)),
  CONSTRAINT transfers_deposits_are_final CHECK (deposited_at IS NULL OR final),
  CONSTRAINT transfers_deposits_not_counted CHECK (deposited_at IS NULL OR NOT counted),
  CONSTRAINT transfers_reversed_not_canonical CHECK (reversed_at IS NULL OR NOT canonical)
);
CREATE UNIQUE INDEX transfers_unique_by_transaction ON payments.transfers (network, kind, transaction_hash, index)
  WHERE canonical;
CREATE UNIQUE INDEX transfers_unique_balance_by_block ON payments.transfers (network, block_hash, to_address)
  WHERE canonical AND kind = 'balance';
CREATE INDEX transfers_of_request ON payments.transfers (payment_request_id);
-- The transfers that decide a request: few, however many others were sent to its address.
CREATE INDEX transfers_counted ON payments.transfers (payment_request_id) WHERE counted;
CREATE INDEX transfers_by_block ON payments.transfers (network, block_number) WHERE canonical;
CREATE INDEX transfers_not_final ON payments.transfers (network, block_number) WHERE canonical AND NOT final;
-- The transfers that are due to be posted as deposits: final, and the request has ended. Few at any time.
CREATE INDEX transfers_to_post ON payments.transfers (network, payment_request_id)
  WHERE canonical AND final AND NOT counted AND deposited_at IS NULL;
-- The transfers of a request that may become deposits.
CREATE INDEX transfers_not_posted_of_request ON payments.transfers (payment_request_id)
  WHERE canonical AND NOT counted AND deposited_at IS NULL;
CREATE INDEX transfers_reversed ON payments.transfers (payment_request_id) WHERE reversed_at IS NOT NULL;
-- The two queues of the cross-check, by the evidence that each needs, in an order that a watcher can continue from. A
-- payer can make them long, so they must not be sorted in each turn. Indexed by the text of the id: for the id itself
-- PostgreSQL may choose the primary key and read every transfer ever recorded.
CREATE INDEX transfers_to_cross_check_by_balance ON payments.transfers (network, (id::text COLLATE "C"))
  WHERE canonical AND awaits_cross_check AND kind = 'balance';
CREATE INDEX transfers_to_cross_check_by_receipt ON payments.transfers (network, (id::text COLLATE "C"))
  WHERE canonical AND awaits_cross_check AND kind <> 'balance';

-- How far each network has been read; changed by compare-and-set only.
CREATE TABLE payments.chain_cursors (
  network text PRIMARY KEY,
  head_number bigint NOT NULL,
  head_hash text NOT NULL,
  head_time timestamptz NOT NULL,
  -- The newest block read that can no longer disappear; null before there is one.
  final_number bigint,
  final_time timestamptz,
  -- How a second endpoint contradicts the first, as a sentence, and since when. Nothing becomes final meanwhile.
  disagreement text,
  disagrees_since timestamptz,
  -- As configured: how far the head may lag behind the clock, and how long endpoints may disagree, before new requests
  -- are refused.
  max_lag_seconds integer CHECK (max_lag_seconds > 0),
  -- The balance sweep reads the native balance of every deposit address, in the order of addresses: the last address
  -- read, and when the sweep began. A null address: the next sweep has not begun.
  balances_swept_to text,
  balance_sweep_began_at timestamptz,
  -- Time of the newest block at which the balances of the open native requests were compared with recorded transfers.
  balances_compared_at timestamptz,
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT chain_cursors_final_not_above_head CHECK (final_number <= head_number),
  CONSTRAINT chain_cursors_final_complete CHECK ((final_number IS NULL) = (final_time IS NULL)),
  CONSTRAINT chain_cursors_disagreement_complete CHECK (num_nonnulls(disagreement, disagrees_since) IN (0, 2))
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

-- Native coin that deposit addresses paid out: what arrived is the balance and these amounts. A reorganisation that
-- removes a block removes its rows.
CREATE TABLE payments.native_payouts (
  network text NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash <> ''),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL CHECK (block_hash <> ''),
  address text NOT NULL,
  tag text NOT NULL DEFAULT '',
  amount payments.amount NOT NULL CHECK (amount > 0),
  PRIMARY KEY (network, transaction_hash, log_index),
  FOREIGN KEY (network, address, tag) REFERENCES payments.deposit_addresses (network, address, tag)
);
CREATE INDEX native_payouts_of_address ON payments.native_payouts (network, address);
CREATE INDEX native_payouts_by_block ON payments.native_payouts (network, block_number);

-- Addresses that must not be settled until an operator has decided: a credit of theirs was reversed.
CREATE TABLE payments.settlement_holds (
  id uuid PRIMARY KEY,
  network text NOT NULL,
  address text NOT NULL,
  tag text NOT NULL DEFAULT '',
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  transfer_id uuid NOT NULL UNIQUE REFERENCES payments.transfers (id),
  held_at timestamptz NOT NULL,
  -- When, by whom and why the hold was released.
  released_at timestamptz,
  released_by text,
  release_reason text,
  FOREIGN KEY (network, address, tag) REFERENCES payments.deposit_addresses (network, address, tag),
  CONSTRAINT settlement_holds_release_complete CHECK (num_nonnulls(released_at, released_by, release_reason) IN (0, 3))
);
CREATE INDEX settlement_holds_open ON payments.settlement_holds (network, address, tag) WHERE released_at IS NULL;

-- Part of the context's contract: the addresses that settlement must leave alone.
CREATE VIEW payments.public_settlement_holds AS
  SELECT DISTINCT network, address, tag FROM payments.settlement_holds WHERE released_at IS NULL;

CREATE TABLE payments.payment_links (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  point_of_sale_id uuid NOT NULL,
  code text NOT NULL UNIQUE CHECK (code ~ '^[A-Za-z0-9_-]{12,64}$'),
  -- The price: a decimal string in whole units of the coin.
  amount text NOT NULL CHECK (amount ~ '^[0-9]{1,80}(\.[0-9]{1,80})?$'),
  coin_code text NOT NULL,
  "order" jsonb,
  return_url text,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL
);
CREATE INDEX payment_links_of_point_of_sale ON payments.payment_links (point_of_sale_id, id DESC);

-- A payment request that is paid through a hosted page, or by a wallet that asks for the payment.
CREATE TABLE payments.checkouts (
  payment_request_id uuid PRIMARY KEY REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- Enough to read and pay the checkout: random, never derived.
  session_id text NOT NULL UNIQUE CHECK (session_id ~ '^[A-Za-z0-9_-]{32}$'),
  amount text NOT NULL CHECK (amount ~ '^[0-9]{1,80}(\.[0-9]{1,80})?$'),
  coin_code text NOT NULL,
  -- Unique asset ids that the payer may select from, as they were at creation.
  payment_options text[] NOT NULL CHECK (cardinality(payment_options) >= 1),
  merchant jsonb NOT NULL,
  return_url text,
  frame_origins text[] NOT NULL DEFAULT '{}',
  payment_link_id uuid REFERENCES payments.payment_links (id),
  created_at timestamptz NOT NULL
);
CREATE INDEX checkouts_of_payment_link ON payments.checkouts (payment_link_id) WHERE payment_link_id IS NOT NULL;

-- Every asset that was selected for a checkout, with the address shown and the rate locked at the first selection. The
-- request has a copy of the last selection, or of the one that was paid.
CREATE TABLE payments.selections (
  payment_request_id uuid NOT NULL REFERENCES payments.checkouts (payment_request_id),
  unique_asset_id text NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  network text NOT NULL,
  currency text NOT NULL,
  decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 77),
  amount payments.amount NOT NULL CHECK (amount > 0),
  inclusion_grace_seconds integer NOT NULL CHECK (inclusion_grace_seconds >= 0),
  address text NOT NULL,
  tag text NOT NULL DEFAULT '',
  -- Price of one unit of the asset in the checkout's coin; null where both are the same coin.
  rate text CHECK (rate ~ '^[0-9]{1,100}(\.[0-9]{1,100})?$'),
  rate_sources text[],
  rate_at timestamptz,
  selected_at timestamptz NOT NULL,
  PRIMARY KEY (payment_request_id, unique_asset_id),
  FOREIGN KEY (network, address, tag) REFERENCES payments.deposit_addresses (network, address, tag),
  CONSTRAINT selections_rate_complete CHECK (num_nonnulls(rate, rate_sources, rate_at) IN (0, 3))
);

-- The request that a payer's browser has for a payment link. The cookie itself is not stored.
CREATE TABLE payments.payment_link_sessions (
  payment_link_id uuid NOT NULL REFERENCES payments.payment_links (id),
  cookie_digest bytea NOT NULL CHECK (length(cookie_digest) = 32),
  payment_request_id uuid NOT NULL REFERENCES payments.checkouts (payment_request_id),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (payment_link_id, cookie_digest)
);
