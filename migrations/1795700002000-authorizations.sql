SET LOCAL lock_timeout = '3s';

-- What payers signed in place of sending a transfer (EIP-3009), each sent once by the gas key.
CREATE TABLE payments.authorizations (
  -- Also the id of the sending.
  id uuid PRIMARY KEY,
  -- No foreign key: a session of a link that nobody paid may be pruned.
  payment_request_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  network text NOT NULL,
  token text NOT NULL,
  unique_asset_id text NOT NULL,
  -- What was signed. Addresses have the spelling by which transfers are matched; times are Unix seconds.
  from_address text NOT NULL CONSTRAINT authorizations_from_spelling CHECK (from_address ~ '^0x[0-9a-f]{40}$'),
  to_address text NOT NULL CONSTRAINT authorizations_to_spelling CHECK (to_address ~ '^0x[0-9a-f]{40}$'),
  value payments.amount NOT NULL CONSTRAINT authorizations_value_range CHECK (value > 0),
  valid_after payments.amount NOT NULL,
  valid_before payments.amount NOT NULL,
  nonce text NOT NULL CONSTRAINT authorizations_nonce_spelling CHECK (nonce ~ '^0x[0-9a-f]{64}$'),
  signature bytea NOT NULL CONSTRAINT authorizations_signature_length CHECK (length(signature) BETWEEN 1 AND 8192),
  -- `queued`: nothing was sent. `sent`: a nonce of the gas key is reserved. `seen`: the transfer is stored, and what was sent is over.
  state text NOT NULL DEFAULT 'queued' CONSTRAINT authorizations_state
    CHECK (state IN ('queued', 'sent', 'seen', 'failed')),
  -- The most that it may cost, and what it has cost, in the smallest unit of the native coin; zero where nothing was sent. Until it is
  -- known, what is reserved counts against the limits.
  reserved_cost payments.amount NOT NULL,
  gas_cost payments.amount,
  -- The limits that were in force when it was stored.
  limit_of_payment payments.amount NOT NULL,
  limit_of_organization payments.amount NOT NULL,
  limit_of_day payments.amount NOT NULL,
  -- The transaction of the transfer.
  transaction_hash text,
  failure_reason text CONSTRAINT authorizations_failure_reason
    CHECK (failure_reason IN ('signature', 'balance', 'used', 'time', 'token', 'ended', 'not_executed')),
  failure text,
  -- The reason why it does not go on, for people to read; how often in a row simulation refused it; since when its nonce is shown as
  -- used, while no transfer is stored; the time of the next look.
  held text,
  refusals integer NOT NULL DEFAULT 0,
  used_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT platform.now(),
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  sent_at timestamptz,
  ended_at timestamptz,
  CONSTRAINT authorizations_token_of_asset CHECK (lower(unique_asset_id) = lower('n' || network || '_t' || token)),
  CONSTRAINT authorizations_valid_for_some_time CHECK (valid_after < valid_before),
  CONSTRAINT authorizations_sent CHECK (CASE state WHEN 'queued' THEN sent_at IS NULL WHEN 'sent' THEN sent_at IS NOT NULL
    ELSE true END),
  CONSTRAINT authorizations_ended CHECK ((state IN ('seen', 'failed')) = (ended_at IS NOT NULL)
    AND (ended_at IS NULL) = (gas_cost IS NULL) AND (gas_cost = 0 OR gas_cost IS NULL OR sent_at IS NOT NULL)),
  CONSTRAINT authorizations_seen_in_a_transaction CHECK (state <> 'seen' OR transaction_hash IS NOT NULL),
  CONSTRAINT authorizations_failed_for_a_reason CHECK ((state = 'failed') = (failure IS NOT NULL)
    AND (failure IS NULL) = (failure_reason IS NULL))
);
CREATE UNIQUE INDEX authorizations_nonce_once ON payments.authorizations (network, token, from_address, nonce);
CREATE INDEX authorizations_due ON payments.authorizations (network, state, due_at, id) WHERE state IN ('queued', 'sent');
CREATE INDEX authorizations_of_request ON payments.authorizations (payment_request_id);
-- The sums of a day are added up from the index alone.
CREATE INDEX authorizations_by_day ON payments.authorizations (network, created_at)
  INCLUDE (organization_id, reserved_cost, gas_cost);

CREATE FUNCTION payments.keep_authorization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.payment_request_id, OLD.organization_id, OLD.account_id, OLD.network, OLD.token, OLD.unique_asset_id,
      OLD.from_address, OLD.to_address, OLD.value, OLD.valid_after, OLD.valid_before, OLD.nonce, OLD.signature,
      OLD.reserved_cost, OLD.limit_of_payment, OLD.limit_of_organization, OLD.limit_of_day, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.payment_request_id, NEW.organization_id, NEW.account_id, NEW.network, NEW.token,
      NEW.unique_asset_id, NEW.from_address, NEW.to_address, NEW.value, NEW.valid_after, NEW.valid_before, NEW.nonce,
      NEW.signature, NEW.reserved_cost, NEW.limit_of_payment, NEW.limit_of_organization, NEW.limit_of_day, NEW.created_at)
    OR OLD.state IN ('seen', 'failed') OR OLD.state = 'sent' AND NEW.state = 'queued'
    OR OLD.sent_at IS NOT NULL AND NEW.sent_at IS DISTINCT FROM OLD.sent_at THEN
    RAISE EXCEPTION 'an authorization keeps what was signed and reserved, and one that has ended stays as it is';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER authorizations_kept BEFORE UPDATE ON payments.authorizations
  FOR EACH ROW EXECUTE FUNCTION payments.keep_authorization();
CREATE TRIGGER authorizations_never_deleted BEFORE DELETE ON payments.authorizations
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER authorizations_never_emptied BEFORE TRUNCATE ON payments.authorizations
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
