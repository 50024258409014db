-- The delivery of collected money, and refunds to payers with the floats that pay for them. Amounts are in smallest units of an
-- asset with `decimals` fraction digits; the upper bound, 2^256, also refuses NaN, which PostgreSQL orders above every number.
-- The views and functions named public_… are the context's contract: other contexts read these, and no table.
-- The file is long because it holds the whole context, table by table.
CREATE SCHEMA settlement;

-- An amount in smallest units of an asset.
CREATE DOMAIN settlement.refund_units AS numeric(78)
  CONSTRAINT refund_units_range CHECK (VALUE >= 0 AND VALUE < 2::numeric ^ 256);

-- The money at each deposit address, by asset: what was booked less what was paid out. It is below zero while a payout took
-- money that is booked later.
CREATE TABLE settlement.waiting (
  network text NOT NULL,
  address text NOT NULL,
  -- Empty where the address is enough.
  tag text NOT NULL DEFAULT '',
  unique_asset_id text NOT NULL,
  payment_request_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  currency text NOT NULL,
  decimals smallint NOT NULL CONSTRAINT waiting_decimals_range CHECK (decimals BETWEEN 0 AND 255),
  -- Wider than one transfer's, so that sums of many fit.
  amount numeric(96) NOT NULL CONSTRAINT waiting_amount_range CHECK (amount <> 'NaN'),
  -- Null where nothing waits.
  waiting_since timestamptz,
  PRIMARY KEY (network, address, tag, unique_asset_id),
  CONSTRAINT waiting_since_something_waits CHECK ((waiting_since IS NOT NULL) = (amount > 0))
) WITH (fillfactor = 70);
CREATE INDEX waiting_oldest ON settlement.waiting (network, waiting_since, address) WHERE amount > 0;
CREATE INDEX waiting_of_account ON settlement.waiting (account_id, unique_asset_id) WHERE amount > 0;
-- Rows that are to be deleted: at these addresses nothing waits any more.
CREATE INDEX waiting_empty ON settlement.waiting (network, address) WHERE amount = 0;

-- A settlement: what one transaction delivered of one account's money, in one asset, to one settlement address.
CREATE TABLE settlement.settlements (
  id uuid PRIMARY KEY,
  -- The payouts of one account in one transaction of one block: `payouts.seen`.
  payouts_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  network text NOT NULL,
  unique_asset_id text NOT NULL,
  currency text NOT NULL,
  decimals smallint NOT NULL CONSTRAINT settlements_decimals_range CHECK (decimals BETWEEN 0 AND 255),
  -- The amounts that went to the settlement address, and to the fee recipient.
  amount numeric(96) NOT NULL CONSTRAINT settlements_amount_range CHECK (amount >= 0 AND amount <> 'NaN'),
  fee_amount numeric(96) NOT NULL CONSTRAINT settlements_fee_range CHECK (fee_amount >= 0 AND fee_amount <> 'NaN'),
  settlement_address text NOT NULL,
  -- The contract that paid it out.
  paid_from text NOT NULL,
  transaction_hash text NOT NULL,
  payment_count integer NOT NULL CONSTRAINT settlements_payment_count_range CHECK (payment_count > 0),
  status text NOT NULL CONSTRAINT settlements_status CHECK (status IN ('processing', 'completed', 'failed')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL CONSTRAINT settlements_times_in_order CHECK (updated_at >= created_at),
  CONSTRAINT settlements_one_of_payouts UNIQUE (payouts_id, unique_asset_id, settlement_address)
);
CREATE INDEX settlements_of_account ON settlement.settlements (account_id, created_at DESC, id DESC);
CREATE INDEX settlements_by_transaction ON settlement.settlements (network, transaction_hash);
-- The dashboard lists the settlements of all accounts.
CREATE INDEX settlements_of_organization ON settlement.settlements (organization_id, created_at DESC, id DESC);

-- A settlement stays as it was recorded; only its status changes, along these edges.
CREATE FUNCTION settlement.keep_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.payouts_id, OLD.organization_id, OLD.account_id, OLD.network, OLD.unique_asset_id, OLD.currency,
      OLD.decimals, OLD.amount, OLD.fee_amount, OLD.settlement_address, OLD.paid_from, OLD.transaction_hash,
      OLD.payment_count, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.payouts_id, NEW.organization_id, NEW.account_id, NEW.network, NEW.unique_asset_id,
      NEW.currency, NEW.decimals, NEW.amount, NEW.fee_amount, NEW.settlement_address, NEW.paid_from, NEW.transaction_hash,
      NEW.payment_count, NEW.created_at)
    OR NOT ((OLD.status = 'processing' AND NEW.status IN ('completed', 'failed'))
      OR (OLD.status = 'completed' AND NEW.status = 'failed')) THEN
    RAISE EXCEPTION 'a settlement changes in nothing but its status: processing, completed, failed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER settlements_kept BEFORE UPDATE ON settlement.settlements
  FOR EACH ROW EXECUTE FUNCTION settlement.keep_settlement();
CREATE TRIGGER settlements_never_deleted BEFORE DELETE ON settlement.settlements
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER settlements_never_emptied BEFORE TRUNCATE ON settlement.settlements
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- The deposit addresses that a settlement emptied of its asset.
CREATE TABLE settlement.settled_addresses (
  settlement_id uuid NOT NULL REFERENCES settlement.settlements,
  -- Rows are counted from 1: a transaction can pay out one address twice.
  number integer NOT NULL CONSTRAINT settled_addresses_number_range CHECK (number > 0),
  payment_request_id uuid NOT NULL,
  address text NOT NULL,
  to_settlement numeric(78) NOT NULL CONSTRAINT settled_addresses_amount_range
    CHECK (to_settlement >= 0 AND to_settlement < 2::numeric ^ 256),
  to_fee numeric(78) NOT NULL CONSTRAINT settled_addresses_fee_range CHECK (to_fee >= 0 AND to_fee < 2::numeric ^ 256),
  fee_basis_points integer NOT NULL CONSTRAINT settled_addresses_share_range CHECK (fee_basis_points BETWEEN 0 AND 10000),
  PRIMARY KEY (settlement_id, number)
);
CREATE INDEX settled_addresses_of_request ON settlement.settled_addresses (payment_request_id);
CREATE TRIGGER settled_addresses_append_only BEFORE UPDATE OR DELETE ON settlement.settled_addresses
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER settled_addresses_never_truncated BEFORE TRUNCATE ON settlement.settled_addresses
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- A call that pays out a batch of deposit addresses, stored before it is sent; its id is that of the sender's order.
CREATE TABLE settlement.batches (
  id uuid PRIMARY KEY,
  network text NOT NULL,
  -- The account that sends it.
  sender text NOT NULL,
  recipient text NOT NULL,
  data bytea NOT NULL,
  gas_limit bigint NOT NULL CONSTRAINT batches_gas_range CHECK (gas_limit > 0),
  payout_count integer NOT NULL CONSTRAINT batches_payout_count_range CHECK (payout_count > 0),
  -- `delivered`: in a block that may still disappear. `abandoned`: never given to the sender.
  state text NOT NULL CONSTRAINT batches_state
    CHECK (state IN ('chosen', 'sent', 'delivered', 'final', 'reverted', 'foreign', 'abandoned', 'cancelled')),
  transaction_hash text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL CONSTRAINT batches_times_in_order CHECK (updated_at >= created_at),
  CONSTRAINT batches_mined_by CHECK (state NOT IN ('delivered', 'final', 'reverted') OR transaction_hash IS NOT NULL)
);
CREATE UNIQUE INDEX batches_one_in_flight ON settlement.batches (network, sender) WHERE state IN ('chosen', 'sent');
CREATE INDEX batches_open ON settlement.batches (network, created_at) WHERE state IN ('chosen', 'sent', 'delivered');
CREATE INDEX batches_newest ON settlement.batches (network, created_at DESC);

CREATE FUNCTION settlement.keep_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.network, OLD.sender, OLD.recipient, OLD.data, OLD.gas_limit, OLD.payout_count, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.network, NEW.sender, NEW.recipient, NEW.data, NEW.gas_limit, NEW.payout_count, NEW.created_at)
    OR OLD.state IN ('final', 'reverted', 'foreign', 'abandoned', 'cancelled') THEN
    RAISE EXCEPTION 'the call of a batch never changes, and a batch that has ended stays as it is';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER batches_kept BEFORE UPDATE ON settlement.batches
  FOR EACH ROW EXECUTE FUNCTION settlement.keep_batch();
CREATE TRIGGER batches_never_deleted BEFORE DELETE ON settlement.batches
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER batches_never_emptied BEFORE TRUNCATE ON settlement.batches
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

CREATE TABLE settlement.batch_payouts (
  batch_id uuid NOT NULL REFERENCES settlement.batches,
  number integer NOT NULL CONSTRAINT batch_payouts_number_range CHECK (number > 0),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  payment_request_id uuid NOT NULL,
  address text NOT NULL,
  unique_asset_id text NOT NULL,
  to_settlement numeric(78) NOT NULL CONSTRAINT batch_payouts_amount_range
    CHECK (to_settlement >= 0 AND to_settlement < 2::numeric ^ 256),
  to_fee numeric(78) NOT NULL CONSTRAINT batch_payouts_fee_range CHECK (to_fee >= 0 AND to_fee < 2::numeric ^ 256),
  PRIMARY KEY (batch_id, number),
  CONSTRAINT batch_payouts_once UNIQUE (batch_id, address, unique_asset_id)
);
CREATE TRIGGER batch_payouts_append_only BEFORE UPDATE OR DELETE ON settlement.batch_payouts
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER batch_payouts_never_truncated BEFORE TRUNCATE ON settlement.batch_payouts
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- Addresses whose payout a simulation did not show as planned. They are planned again from `retry_at` on.
CREATE TABLE settlement.set_aside (
  network text NOT NULL,
  address text NOT NULL,
  unique_asset_id text NOT NULL,
  reason text NOT NULL CONSTRAINT set_aside_reason CHECK (reason <> ''),
  -- A sentence for the operator.
  says text NOT NULL,
  since timestamptz NOT NULL,
  times integer NOT NULL CONSTRAINT set_aside_times_range CHECK (times > 0),
  retry_at timestamptz NOT NULL,
  PRIMARY KEY (network, address, unique_asset_id)
);

-- Settlement terms whose payouts failed in execution: they were sent, cost gas and were not paid out. Payouts by the same terms
-- are left out until `retry_at`; then one is tried alone.
CREATE TABLE settlement.failing_terms (
  network text NOT NULL,
  -- The address is in lower case.
  settlement_address text NOT NULL CONSTRAINT failing_terms_lower_case CHECK (settlement_address = lower(settlement_address)),
  unique_asset_id text NOT NULL,
  -- A sentence for the operator.
  says text NOT NULL,
  times integer NOT NULL CONSTRAINT failing_terms_times_range CHECK (times > 0),
  failed_at timestamptz NOT NULL,
  -- Null once a payout was paid out.
  retry_at timestamptz,
  PRIMARY KEY (network, unique_asset_id, settlement_address)
);

-- A refund float: an address of the service for each organization and network. Its account is the first of the organization, in
-- whose books it stands.
CREATE TABLE settlement.refund_floats (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  network text NOT NULL,
  -- Null until a process that holds the key has stored it.
  address text CONSTRAINT refund_floats_address_spelling CHECK (address = lower(address)),
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  -- Nothing is promised from a replaced float any more; what comes to it is still noticed. Null for the organization's
  -- present float.
  replaced_at timestamptz,
  CONSTRAINT refund_floats_address_once UNIQUE (network, address)
);
CREATE INDEX refund_floats_unopened ON settlement.refund_floats (network) WHERE address IS NULL;
CREATE UNIQUE INDEX refund_floats_once ON settlement.refund_floats (organization_id, network) WHERE replaced_at IS NULL;

CREATE FUNCTION settlement.keep_refund_float() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.organization_id, OLD.account_id, OLD.network) IS DISTINCT FROM
      (NEW.id, NEW.organization_id, NEW.account_id, NEW.network)
    OR OLD.address IS NOT NULL AND OLD.address IS DISTINCT FROM NEW.address
    OR OLD.replaced_at IS NOT NULL AND OLD.replaced_at IS DISTINCT FROM NEW.replaced_at THEN
    RAISE EXCEPTION 'a refund float keeps its address, and a replaced one stays replaced';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refund_floats_kept BEFORE UPDATE ON settlement.refund_floats
  FOR EACH ROW EXECUTE FUNCTION settlement.keep_refund_float();
CREATE TRIGGER refund_floats_never_deleted BEFORE DELETE ON settlement.refund_floats
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER refund_floats_never_emptied BEFORE TRUNCATE ON settlement.refund_floats
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- A float's holding of a token (named by its contract), or of the network's own coin ('native').
CREATE TABLE settlement.refund_float_holdings (
  float_id uuid NOT NULL REFERENCES settlement.refund_floats,
  holding text NOT NULL,
  topped_up settlement.refund_units NOT NULL DEFAULT 0,
  refunded settlement.refund_units NOT NULL DEFAULT 0,
  withdrawn settlement.refund_units NOT NULL DEFAULT 0,
  -- Only the native coin pays for gas.
  gas settlement.refund_units NOT NULL DEFAULT 0,
  -- The amount that has left by no payout of the service.
  missing settlement.refund_units NOT NULL DEFAULT 0,
  -- The amounts of payouts that have not ended; of the native coin their gas too.
  reserved settlement.refund_units NOT NULL DEFAULT 0,
  -- The balance at the final block that was looked at last; null before the first look.
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
  -- Null where the native coin is not catalogued: the ledger then gets no event of it.
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
  -- The gas is in native coin.
  gas_reserved settlement.refund_units NOT NULL,
  status text NOT NULL DEFAULT 'processing' CONSTRAINT refund_float_payouts_status
    CHECK (status IN ('processing', 'completed', 'failed')),
  -- The call is stored with the nonce that is reserved for it. A payout without it has no nonce, and can be cancelled.
  call_to text,
  call_data bytea,
  call_value settlement.refund_units,
  call_gas_limit bigint,
  sent_at timestamptz,
  -- The reason why it does not go on, for people to read; how often it was put off in a row, and until when.
  held text,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT platform.now(),
  transaction_hash text,
  block_number bigint,
  gas settlement.refund_units,
  failure text,
  -- The operator, or the credential that approved the refund.
  ordered_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  ended_at timestamptz,
  -- The time since which every process that tried it lacked the float's key; null where one had it, or none has tried.
  keyless_since timestamptz,
  -- The sending that pays it, where that has another id: the nonce of the first one was used by another transaction.
  sending_id uuid,
  -- Whether it is taken from what the account is allotted of the float.
  from_allotment boolean NOT NULL,
  FOREIGN KEY (float_id, holding) REFERENCES settlement.refund_float_holdings,
  CONSTRAINT refund_float_payouts_call_whole CHECK (num_nulls(call_to, call_data, call_value, call_gas_limit) IN (0, 4)),
  CONSTRAINT refund_float_payouts_call_as_sent CHECK ((sent_at IS NULL) = (call_to IS NULL)),
  CONSTRAINT refund_float_payouts_ended CHECK ((status = 'processing') = (ended_at IS NULL)),
  CONSTRAINT refund_float_payouts_completed_in_a_block CHECK (status <> 'completed'
    OR sent_at IS NOT NULL AND transaction_hash IS NOT NULL AND block_number IS NOT NULL)
);
CREATE INDEX refund_float_payouts_due ON settlement.refund_float_payouts (network, due_at) WHERE status = 'processing';
CREATE INDEX refund_float_payouts_of_float ON settlement.refund_float_payouts (float_id, block_number);
CREATE UNIQUE INDEX refund_float_payouts_sending ON settlement.refund_float_payouts (COALESCE(sending_id, id));

-- An approved payment never becomes another one, and an ended one stays so.
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
CREATE FUNCTION settlement.keep_payout_sending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a payout of a refund float keeps the sending that pays it in place of its own';
END $$;
CREATE FUNCTION settlement.keep_payout_allotment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a payout of a refund float keeps what it is taken from';
END $$;
-- An approved refund is paid in the asset, on the network and from the float that it was approved for.
CREATE FUNCTION settlement.keep_refund_asset() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a refund keeps its asset, and an approved one its float and who approved it';
END $$;
CREATE TRIGGER refund_float_payouts_kept BEFORE UPDATE ON settlement.refund_float_payouts
  FOR EACH ROW EXECUTE FUNCTION settlement.keep_refund_float_payout();
CREATE TRIGGER refund_float_payouts_never_deleted BEFORE DELETE ON settlement.refund_float_payouts
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER refund_float_payouts_never_emptied BEFORE TRUNCATE ON settlement.refund_float_payouts
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER refund_float_payouts_keep_sending BEFORE UPDATE ON settlement.refund_float_payouts FOR EACH ROW
  WHEN (OLD.sending_id IS NOT NULL AND OLD.sending_id IS DISTINCT FROM NEW.sending_id)
  EXECUTE FUNCTION settlement.keep_payout_sending();
CREATE TRIGGER refund_float_payouts_keep_allotment BEFORE UPDATE ON settlement.refund_float_payouts FOR EACH ROW
  WHEN (OLD.from_allotment IS DISTINCT FROM NEW.from_allotment) EXECUTE FUNCTION settlement.keep_payout_allotment();
CREATE TRIGGER refund_float_payouts_asset_kept BEFORE UPDATE ON settlement.refund_float_payouts
  FOR EACH ROW WHEN ((OLD.currency, OLD.decimals, OLD.ordered_by)
      IS DISTINCT FROM (NEW.currency, NEW.decimals, NEW.ordered_by))
  EXECUTE FUNCTION settlement.keep_refund_asset();

-- The refunds of a request in total. The row is locked while a refund is created, so that no more is refunded than was received.
CREATE TABLE settlement.refunded_sums (
  payment_request_id uuid NOT NULL,
  unique_asset_id text NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- The amount that payments answered when the last refund was created.
  received settlement.refund_units NOT NULL,
  -- The sum of the refunds that have not failed.
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
  -- SHA-256 of the claim, which is stored nowhere.
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
CREATE INDEX refunds_by_transaction ON settlement.refunds (transaction_hash) WHERE transaction_hash IS NOT NULL;
CREATE INDEX refunds_open ON settlement.refunds (account_id) WHERE status IN ('pending', 'processing');

-- An ended refund stays as it is; amount, request and asset never change; an address, once named, stays.
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
CREATE TRIGGER refunds_asset_kept BEFORE UPDATE ON settlement.refunds
  FOR EACH ROW WHEN ((OLD.network, OLD.token, OLD.currency, OLD.decimals)
      IS DISTINCT FROM (NEW.network, NEW.token, NEW.currency, NEW.decimals)
    OR OLD.approved_at IS NOT NULL AND (OLD.approved_at, OLD.approved_by, OLD.float_address)
      IS DISTINCT FROM (NEW.approved_at, NEW.approved_by, NEW.float_address))
  EXECUTE FUNCTION settlement.keep_refund_asset();

-- The limits within which an account refunds without the operator. Only the operator sets them.
CREATE TABLE settlement.refund_limits (
  account_id uuid NOT NULL,
  unique_asset_id text NOT NULL,
  organization_id uuid NOT NULL,
  -- The subject of its entries in the audit log.
  subject_id uuid NOT NULL UNIQUE,
  -- Null: the float is the only limit.
  per_day settlement.refund_units,
  automatic_below settlement.refund_units NOT NULL DEFAULT 0,
  set_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT platform.now(),
  PRIMARY KEY (account_id, unique_asset_id)
);
CREATE INDEX refund_limits_of_organization ON settlement.refund_limits (organization_id);

-- The bound for refunds of what was collected for an account's own settlement address: what the operator has allotted to it
-- (`topped_up`, also of an organization without a row), or what was received. Only the operator sets it.
CREATE TABLE settlement.refund_bases (
  organization_id uuid PRIMARY KEY,
  basis text NOT NULL CONSTRAINT refund_bases_basis CHECK (basis IN ('topped_up', 'received')),
  set_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT platform.now()
);

-- The amount that an account may take of its organization's refund float in all. An account without a row has none.
CREATE TABLE settlement.refund_allotments (
  account_id uuid NOT NULL,
  unique_asset_id text NOT NULL,
  organization_id uuid NOT NULL,
  -- The subject of its entries in the audit log.
  subject_id uuid NOT NULL UNIQUE,
  -- All that was ever allotted.
  allotted settlement.refund_units NOT NULL,
  -- The sum of the refunds that are paid, or about to be.
  used settlement.refund_units NOT NULL DEFAULT 0,
  set_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT platform.now(),
  PRIMARY KEY (account_id, unique_asset_id),
  CONSTRAINT refund_allotments_used_within_allotted CHECK (used <= allotted)
);
CREATE INDEX refund_allotments_of_organization ON settlement.refund_allotments (organization_id);

-- The settlements that stand and have paid out addresses of a payment request.
CREATE VIEW settlement.public_settled_requests AS
  SELECT a.payment_request_id, s.id AS settlement_id, s.created_at
  FROM settlement.settled_addresses a JOIN settlement.settlements s ON s.id = a.settlement_id
  WHERE s.status <> 'failed';

CREATE VIEW settlement.public_refunds AS
  SELECT id, payment_request_id, status, amount, currency, decimals, network, unique_asset_id, transaction_hash, created_at
  FROM settlement.refunds;

-- The settlements whose money is not at its deposit addresses any more.
CREATE VIEW settlement.public_standing_settlements AS
  SELECT id, payouts_id, organization_id, account_id, network, unique_asset_id, status
  FROM settlement.settlements WHERE status <> 'failed';

CREATE VIEW settlement.public_settlement_records AS
  SELECT id, organization_id, network, amount, currency, decimals, transaction_hash, status, created_at
  FROM settlement.settlements;

CREATE VIEW settlement.public_refund_records AS
  SELECT id, organization_id, payment_request_id, amount, currency, decimals, transaction_hash, status, created_at
  FROM settlement.refunds;

-- An account with rows in this view or in the next is not deleted.
CREATE VIEW settlement.public_open_refunds AS
  SELECT id, organization_id, account_id FROM settlement.refunds WHERE status IN ('pending', 'processing');

CREATE VIEW settlement.public_open_float_withdrawals AS
  SELECT id, organization_id, account_id FROM settlement.refund_float_payouts
  WHERE status = 'processing' AND kind = 'withdrawal';
