-- Nobody may wait for long behind a table that every request needs: better fail, and be run again.
SET LOCAL lock_timeout = '3s';

-- A checkout asks for an asset only once the payer has chosen one.
ALTER TABLE payments.payment_requests
  ALTER COLUMN network DROP NOT NULL,
  ALTER COLUMN unique_asset_id DROP NOT NULL,
  ALTER COLUMN currency DROP NOT NULL,
  ALTER COLUMN decimals DROP NOT NULL,
  ALTER COLUMN amount DROP NOT NULL,
  ADD CONSTRAINT payment_requests_selection_is_whole
    CHECK (num_nonnulls(network, unique_asset_id, currency, decimals, amount) IN (0, 5)) NOT VALID,
  ADD CONSTRAINT payment_requests_pending_until_selected
    CHECK ((network IS NULL AND status IN ('pending', 'expired', 'failed'))
      OR (network IS NOT NULL AND status <> 'pending')) NOT VALID;

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

-- A payment request that is paid by a hosted page or by a wallet that asks for the payment.
CREATE TABLE payments.checkouts (
  payment_request_id uuid PRIMARY KEY REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- Whoever knows it may read and pay: random, never derived.
  session_id text NOT NULL UNIQUE CHECK (session_id ~ '^[A-Za-z0-9_-]{32}$'),
  amount text NOT NULL CHECK (amount ~ '^[0-9]{1,80}(\.[0-9]{1,80})?$'),
  coin_code text NOT NULL,
  -- Unique asset ids that the payer may choose from, as they were when it was created.
  payment_options text[] NOT NULL CHECK (cardinality(payment_options) >= 1),
  merchant jsonb NOT NULL,
  return_url text,
  frame_origins text[] NOT NULL DEFAULT '{}',
  payment_link_id uuid REFERENCES payments.payment_links (id),
  created_at timestamptz NOT NULL
);
CREATE INDEX checkouts_of_payment_link ON payments.checkouts (payment_link_id) WHERE payment_link_id IS NOT NULL;

-- Every asset that was chosen for a checkout, with the address shown and the rate locked at the first choice.
-- The last one chosen, or the one that was paid, stands in the request.
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
  -- What one unit of the asset costs in the checkout's coin; null where they are the same coin.
  rate text CHECK (rate ~ '^[0-9]{1,100}(\.[0-9]{1,100})?$'),
  rate_sources text[],
  rate_at timestamptz,
  selected_at timestamptz NOT NULL,
  PRIMARY KEY (payment_request_id, unique_asset_id),
  FOREIGN KEY (network, address) REFERENCES payments.deposit_addresses (network, address),
  CHECK (num_nonnulls(rate, rate_sources, rate_at) IN (0, 3))
);

-- Which request a payer's browser has for a payment link. The cookie itself is not stored.
CREATE TABLE payments.payment_link_sessions (
  payment_link_id uuid NOT NULL REFERENCES payments.payment_links (id),
  cookie_digest bytea NOT NULL CHECK (length(cookie_digest) = 32),
  payment_request_id uuid NOT NULL REFERENCES payments.checkouts (payment_request_id),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (payment_link_id, cookie_digest)
);
