-- Refunds to payers, and the floats that pay for them.
SET LOCAL lock_timeout = '3s';

-- Smallest units of an asset.
CREATE DOMAIN settlement.refund_units AS numeric(78)
  CONSTRAINT refund_units_range CHECK (VALUE >= 0 AND VALUE < 2::numeric ^ 256);

-- An address of the service per organization and network. Its account is the first of the organization, in whose books it stands.
CREATE TABLE settlement.refund_floats (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  network text NOT NULL,
  -- Null until a process that holds the key has said it.
  address text CONSTRAINT refund_floats_address_spelling CHECK (address = lower(address)),
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  CONSTRAINT refund_floats_once UNIQUE (organization_id, network),
  CONSTRAINT refund_floats_address_once UNIQUE (network, address)
);
CREATE INDEX refund_floats_unopened ON settlement.refund_floats (network) WHERE address IS NULL;

CREATE FUNCTION settlement.keep_refund_float() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.organization_id, OLD.account_id, OLD.network) IS DISTINCT FROM
      (NEW.id, NEW.organization_id, NEW.account_id, NEW.network)
    OR OLD.address IS NOT NULL AND OLD.address IS DISTINCT FROM NEW.address THEN
    RAISE EXCEPTION 'a refund float keeps its address';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refund_floats_kept BEFORE UPDATE ON settlement.refund_floats
  FOR EACH ROW EXECUTE FUNCTION settlement.keep_refund_float();
CREATE TRIGGER refund_floats_never_deleted BEFORE DELETE ON settlement.refund_floats
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER refund_floats_never_emptied BEFORE TRUNCATE ON settlement.refund_floats
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- What a float has of a token (by its contract), or of the network's own coin ('native').
CREATE TABLE settlement.refund_float_holdings (
  float_id uuid NOT NULL REFERENCES settlement.refund_floats,
  holding text NOT NULL,
  topped_up settlement.refund_units NOT NULL DEFAULT 0,
  refunded settlement.refund_units NOT NULL DEFAULT 0,
  withdrawn settlement.refund_units NOT NULL DEFAULT 0,
  -- Of the native coin alone.
  gas settlement.refund_units NOT NULL DEFAULT 0,
  -- Has left by no payout of the service.
  missing settlement.refund_units NOT NULL DEFAULT 0,
  -- Of payouts that have not ended: their amounts, and of the native coin their gas too.
  reserved settlement.refund_units NOT NULL DEFAULT 0,
  -- At the final block that was looked at last; null before one was.
  balance settlement.refund_units,
  block_number bigint,
  PRIMARY KEY (float_id, holding),
  CONSTRAINT refund_float_holdings_gas_is_native CHECK (gas = 0 OR holding = 'native'),
  CONSTRAINT refund_float_holdings_looked_at CHECK ((balance IS NULL) = (block_number IS NULL))
);

CREATE TABLE settlement.refund_float_top_ups (
  id uuid PRIMARY KEY,
  float_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  holding text NOT NULL,
  -- Null where the native coin is not catalogued: the ledger then hears nothing of it.
  unique_asset_id text,
  amount settlement.refund_units NOT NULL CONSTRAINT refund_float_top_ups_amount CHECK (amount > 0),
  block_number bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  FOREIGN KEY (float_id, holding) REFERENCES settlement.refund_float_holdings
);
CREATE INDEX refund_float_top_ups_of_float ON settlement.refund_float_top_ups (float_id, holding);
CREATE TRIGGER refund_float_top_ups_append_only BEFORE UPDATE OR DELETE ON settlement.refund_float_top_ups
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER refund_float_top_ups_never_truncated BEFORE TRUNCATE ON settlement.refund_float_top_ups
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- What a float pays: an approved refund, or a withdrawal. Its id is that of the refund or withdrawal, and of its sending.
CREATE TABLE settlement.refund_float_payouts (
  id uuid PRIMARY KEY,
  float_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  network text NOT NULL,
  kind text NOT NULL CONSTRAINT refund_float_payouts_kind CHECK (kind IN ('refund', 'withdrawal')),
  holding text NOT NULL,
  unique_asset_id text NOT NULL,
  currency text NOT NULL,
  decimals integer NOT NULL CONSTRAINT refund_float_payouts_decimals CHECK (decimals BETWEEN 0 AND 77),
  amount settlement.refund_units NOT NULL CONSTRAINT refund_float_payouts_amount CHECK (amount > 0),
  to_address text NOT NULL CONSTRAINT refund_float_payouts_to_spelling CHECK (to_address = lower(to_address)),
  -- Of the native coin.
  gas_reserved settlement.refund_units NOT NULL,
  status text NOT NULL DEFAULT 'processing' CONSTRAINT refund_float_payouts_status
    CHECK (status IN ('processing', 'completed', 'failed')),
  -- Stored before it is sent, so that the same call is sent again.
  call_to text,
  call_data bytea,
  call_value settlement.refund_units,
  call_gas_limit bigint,
  sent_at timestamptz,
  -- Why it does not go on, for people; how often it was put off in a row, and until when.
  held text,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT platform.now(),
  transaction_hash text,
  block_number bigint,
  gas settlement.refund_units,
  failure text,
  -- The operator, or the credential that approved.
  ordered_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  ended_at timestamptz,
  FOREIGN KEY (float_id, holding) REFERENCES settlement.refund_float_holdings,
  CONSTRAINT refund_float_payouts_call_whole CHECK (num_nulls(call_to, call_data, call_value, call_gas_limit) IN (0, 4)),
  CONSTRAINT refund_float_payouts_planned_before_sent CHECK (sent_at IS NULL OR call_to IS NOT NULL),
  CONSTRAINT refund_float_payouts_ended CHECK ((status = 'processing') = (ended_at IS NULL)),
  CONSTRAINT refund_float_payouts_completed_in_a_block CHECK (status <> 'completed'
    OR sent_at IS NOT NULL AND transaction_hash IS NOT NULL AND block_number IS NOT NULL)
);
CREATE INDEX refund_float_payouts_due ON settlement.refund_float_payouts (network, due_at) WHERE status = 'processing';
CREATE INDEX refund_float_payouts_of_float ON settlement.refund_float_payouts (float_id, block_number);

-- What was approved never becomes another payment, and what has ended stays so.
CREATE FUNCTION settlement.keep_refund_float_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.float_id, OLD.organization_id, OLD.account_id, OLD.network, OLD.kind, OLD.holding, OLD.unique_asset_id,
      OLD.amount, OLD.to_address, OLD.gas_reserved, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.float_id, NEW.organization_id, NEW.account_id, NEW.network, NEW.kind, NEW.holding,
      NEW.unique_asset_id, NEW.amount, NEW.to_address, NEW.gas_reserved, NEW.created_at)
    OR OLD.status <> 'processing'
    OR OLD.call_to IS NOT NULL AND (OLD.call_to, OLD.call_data, OLD.call_value, OLD.call_gas_limit)
      IS DISTINCT FROM (NEW.call_to, NEW.call_data, NEW.call_value, NEW.call_gas_limit)
    OR OLD.sent_at IS NOT NULL AND NEW.sent_at IS DISTINCT FROM OLD.sent_at THEN
    RAISE EXCEPTION 'a payout of a refund float keeps what it pays, and a finished one stays as it is';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refund_float_payouts_kept BEFORE UPDATE ON settlement.refund_float_payouts
  FOR EACH ROW EXECUTE FUNCTION settlement.keep_refund_float_payout();
CREATE TRIGGER refund_float_payouts_never_deleted BEFORE DELETE ON settlement.refund_float_payouts
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER refund_float_payouts_never_emptied BEFORE TRUNCATE ON settlement.refund_float_payouts
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- Locked while a refund of the request is created: never more in total than was received.
CREATE TABLE settlement.refunded_sums (
  payment_request_id uuid NOT NULL,
  unique_asset_id text NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- As payments said at the last creation.
  received settlement.refund_units NOT NULL,
  -- Of refunds that have not failed.
  refunded settlement.refund_units NOT NULL DEFAULT 0,
  PRIMARY KEY (payment_request_id, unique_asset_id),
  CONSTRAINT refunded_sums_within_received CHECK (refunded <= received)
);

CREATE TABLE settlement.refunds (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  payment_request_id uuid NOT NULL,
  point_of_sale_id uuid NOT NULL,
  reference_id text,
  merchant_name text NOT NULL,
  network text NOT NULL,
  token text NOT NULL,
  unique_asset_id text NOT NULL,
  currency text NOT NULL,
  decimals integer NOT NULL CONSTRAINT refunds_decimals CHECK (decimals BETWEEN 0 AND 77),
  amount settlement.refund_units NOT NULL CONSTRAINT refunds_amount CHECK (amount > 0),
  status text NOT NULL CONSTRAINT refunds_status CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
  reason text,
  to_address text CONSTRAINT refunds_to_spelling CHECK (to_address = lower(to_address)),
  -- SHA-256 of the claim, which stands in no row.
  claim_digest bytea CONSTRAINT refunds_claim_digest_length CHECK (octet_length(claim_digest) = 32),
  claim_expires_at timestamptz,
  claimed_at timestamptz,
  approved_at timestamptz,
  -- A credential, or 'limit'.
  approved_by text,
  float_address text,
  transaction_hash text,
  failure text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  FOREIGN KEY (payment_request_id, unique_asset_id) REFERENCES settlement.refunded_sums,
  CONSTRAINT refunds_claim_whole CHECK ((claim_digest IS NULL) = (claim_expires_at IS NULL)
    AND (claimed_at IS NULL OR claim_digest IS NOT NULL)),
  CONSTRAINT refunds_address_from_somebody CHECK (to_address IS NULL OR claim_digest IS NULL OR claimed_at IS NOT NULL),
  CONSTRAINT refunds_approved_whole CHECK (num_nulls(approved_at, approved_by, float_address) IN (0, 3)
    AND (approved_at IS NULL OR to_address IS NOT NULL)),
  CONSTRAINT refunds_approved_before_paid CHECK (status = 'failed' OR (status = 'pending') = (approved_at IS NULL)),
  CONSTRAINT refunds_completed_by_a_transaction CHECK (status <> 'completed' OR transaction_hash IS NOT NULL)
);
CREATE UNIQUE INDEX refunds_claim_once ON settlement.refunds (claim_digest) WHERE claim_digest IS NOT NULL;
CREATE INDEX refunds_of_organization ON settlement.refunds (organization_id, id);
CREATE INDEX refunds_of_account ON settlement.refunds (account_id, id);
CREATE INDEX refunds_of_payment_request ON settlement.refunds (payment_request_id, id);
CREATE INDEX refunds_approved ON settlement.refunds (account_id, unique_asset_id, approved_at) WHERE approved_at IS NOT NULL;
CREATE INDEX refunds_unclaimed ON settlement.refunds (claim_expires_at) WHERE status = 'pending' AND to_address IS NULL;

-- A terminal refund stays as it is; amount, request and asset never change; an address, once named, stays.
CREATE FUNCTION settlement.keep_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.organization_id, OLD.account_id, OLD.payment_request_id, OLD.unique_asset_id, OLD.amount, OLD.claim_digest,
      OLD.claim_expires_at, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.organization_id, NEW.account_id, NEW.payment_request_id, NEW.unique_asset_id, NEW.amount,
      NEW.claim_digest, NEW.claim_expires_at, NEW.created_at)
    OR OLD.to_address IS NOT NULL AND OLD.to_address IS DISTINCT FROM NEW.to_address
    OR OLD.status IN ('completed', 'failed')
    OR OLD.status = 'processing' AND NEW.status = 'pending' THEN
    RAISE EXCEPTION 'a refund keeps its amount and its address, and a finished one stays as it is';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refunds_kept BEFORE UPDATE ON settlement.refunds
  FOR EACH ROW EXECUTE FUNCTION settlement.keep_refund();
CREATE TRIGGER refunds_never_deleted BEFORE DELETE ON settlement.refunds
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER refunds_never_emptied BEFORE TRUNCATE ON settlement.refunds
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- What an account may refund without the operator; set by the operator alone.
CREATE TABLE settlement.refund_limits (
  account_id uuid NOT NULL,
  unique_asset_id text NOT NULL,
  organization_id uuid NOT NULL,
  -- Of the audit log.
  subject_id uuid NOT NULL UNIQUE,
  -- Null: no limit but the float.
  per_day settlement.refund_units,
  automatic_below settlement.refund_units NOT NULL DEFAULT 0,
  set_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT platform.now(),
  PRIMARY KEY (account_id, unique_asset_id)
);
CREATE INDEX refund_limits_of_organization ON settlement.refund_limits (organization_id);

CREATE VIEW settlement.public_refunds AS
  SELECT id, payment_request_id, status, amount, currency, decimals, network, unique_asset_id, transaction_hash, created_at
  FROM settlement.refunds;
