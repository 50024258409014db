SET LOCAL lock_timeout = '3s';

-- Counts and sums by day, which a subscriber of the event log keeps, so that the overview reads as little with a million payments
-- as with one. Whatever stands here can be counted again from the records of other contexts.
CREATE SCHEMA figures;

-- A rebuild writes a generation of its own, and becomes the present one at once.
CREATE TABLE figures.present (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  generation integer NOT NULL,
  -- False where the event log had lost its beginning to an archive when counting began: a rebuild counts what was there.
  complete boolean NOT NULL
);
INSERT INTO figures.present (generation, complete)
SELECT 1, NOT EXISTS (SELECT FROM platform.event_partitions WHERE detached_at IS NOT NULL);
-- From here on no partition is detached before its events are counted.
INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position) VALUES ('figures', '0', 0);

-- One row for each UTC day and figure of an account, and of an organization.
CREATE TABLE figures.daily (
  generation integer NOT NULL,
  -- The account, or the organization, whose row is the sum of those of its accounts.
  scope_id uuid NOT NULL,
  day date NOT NULL,
  -- requests: by day of creation, and by status. paid, deposited, reversed, refunded: by day of booking, and by asset. settled: by day
  -- of delivery, and by asset. paid_within: payments by day of booking, and by the time they took.
  figure text NOT NULL CHECK (figure IN
    ('requests', 'paid', 'paid_within', 'deposited', 'reversed', 'settled', 'refunded')),
  -- The status, the asset, or the most seconds.
  part text NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid,
  number bigint NOT NULL,
  -- Smallest units of the asset; 0 where the figure has no asset.
  amount numeric(96, 0) NOT NULL CHECK (amount <> 'NaN'),
  PRIMARY KEY (generation, scope_id, day, figure, part),
  CONSTRAINT daily_scope CHECK (scope_id = COALESCE(account_id, organization_id))
  -- No indexed column changes: with room in the page, a new version of the row costs no index entry.
) WITH (fillfactor = 70);

-- How the assets of figures are called. An asset may leave the configuration.
CREATE TABLE figures.assets (
  unique_asset_id text PRIMARY KEY,
  network text NOT NULL,
  currency text NOT NULL,
  decimals smallint NOT NULL
);

-- Money beside a payment, which stands: late, after the outcome, or in another asset. Without gathered dust.
CREATE TABLE figures.deposits (
  generation integer NOT NULL,
  transfer_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  payment_request_id uuid NOT NULL,
  unique_asset_id text NOT NULL,
  amount numeric(96, 0) NOT NULL CHECK (amount > 0),
  at timestamptz NOT NULL,
  PRIMARY KEY (generation, transfer_id)
);
CREATE INDEX deposits_of_organization ON figures.deposits (generation, organization_id, at);

CREATE VIEW figures.public_deposits AS
  SELECT transfer_id, organization_id, account_id, payment_request_id, unique_asset_id, amount, at
  FROM figures.deposits WHERE generation = (SELECT generation FROM figures.present);

CREATE VIEW figures.public_assets AS SELECT unique_asset_id, network, currency, decimals FROM figures.assets;

-- What figures are counted from, and what needs the attention of a merchant. Views of the release before only gain columns.
CREATE VIEW payments.public_status_steps AS
  SELECT payment_request_id, step, status, at FROM payments.status_history;

-- All requests, pruned ones too.
CREATE VIEW payments.public_request_records AS
  SELECT id, organization_id, account_id, created_at, status, confirmed_at, network, unique_asset_id, currency, decimals,
    received_amount
  FROM payments.payment_requests
  UNION ALL
  SELECT p.id, (v.value ->> 'organization_id')::uuid, (v.value ->> 'account_id')::uuid, p.created_at, v.value ->> 'status',
    NULL, NULL, NULL, NULL, NULL, 0
  FROM payments.pruned_requests p JOIN payments.pruned_values v ON v.id = p.request_value;

-- Transfers that were booked as deposits, and booked transfers that have disappeared. Gathered ones share a `deposit_id`.
CREATE VIEW payments.public_booked_transfers AS
  SELECT id, payment_request_id, organization_id, account_id, network, unique_asset_id, currency, decimals, amount,
    deposited_at, deposit_id, gathered_on, reversed_at
  FROM payments.transfers WHERE deposited_at IS NOT NULL OR reversed_at IS NOT NULL;

CREATE VIEW payments.public_held_addresses AS
  SELECT network, address, payment_request_id, organization_id, account_id, held_at
  FROM payments.settlement_holds WHERE released_at IS NULL;

CREATE OR REPLACE VIEW settlement.public_settlement_records AS
  SELECT id, organization_id, network, amount, currency, decimals, transaction_hash, status, created_at,
    account_id, unique_asset_id
  FROM settlement.settlements;

CREATE OR REPLACE VIEW settlement.public_refund_records AS
  SELECT id, organization_id, payment_request_id, amount, currency, decimals, transaction_hash, status, created_at,
    account_id, network, unique_asset_id, updated_at
  FROM settlement.refunds;

-- `waits_for`: `payer`, who has to name an address; `approval`, by the merchant; `payment`, which goes on by itself.
CREATE OR REPLACE VIEW settlement.public_open_refunds AS
  SELECT id, organization_id, account_id,
    CASE WHEN status = 'processing' THEN 'payment' WHEN to_address IS NULL THEN 'payer' ELSE 'approval' END AS waits_for,
    network, CASE WHEN unique_asset_id = 'n' || network || '_t' || currency THEN 'native' ELSE token END AS holding,
    currency, decimals, amount
  FROM settlement.refunds WHERE status IN ('pending', 'processing');

CREATE VIEW settlement.public_refunded_sums AS
  SELECT payment_request_id, unique_asset_id, refunded FROM settlement.refunded_sums;

-- What the present floats have left for more refunds, and what the last payout reserved for gas.
CREATE VIEW settlement.public_refund_float_levels AS
  SELECT f.organization_id, f.network, h.holding,
    GREATEST(h.topped_up - h.refunded - h.withdrawn - h.gas - h.missing - h.reserved, 0) AS free,
    (SELECT p.gas_reserved FROM settlement.refund_float_payouts p WHERE p.float_id = f.id
      ORDER BY p.block_number DESC LIMIT 1) AS last_gas
  FROM settlement.refund_floats f JOIN settlement.refund_float_holdings h ON h.float_id = f.id
  WHERE f.replaced_at IS NULL;

CREATE OR REPLACE VIEW webhooks.public_registered_webhooks AS
  SELECT id, organization_id, event_type, created_at, account_id, active, failing
  FROM webhooks.webhooks WHERE deleted_at IS NULL;

CREATE VIEW ledger.public_account_balances AS
  SELECT organization_id, account_id, ledger_account, unique_asset_id, amount FROM ledger.balances WHERE amount <> 0;

-- `present_status` is asked for where it is read alone.
CREATE OR REPLACE VIEW ledger.public_transaction_records AS
  SELECT id, organization_id, payment_request_id, source_id, type, status, gross_amount, currency, decimals,
    transaction_hash, created_at, account_id, unique_asset_id, net_amount,
    COALESCE((SELECT c.status FROM ledger.status_changes c WHERE c.transaction_id = t.id ORDER BY c.step DESC LIMIT 1),
      t.status) AS present_status
  FROM ledger.transactions t;
