-- Subscriptions: an amount on each due date, with one charge for each.
-- The views and functions named public_… are the context's contract: other contexts read these, and no table.
CREATE SCHEMA subscriptions;

-- An amount in smallest units of an asset.
CREATE DOMAIN subscriptions.units AS numeric(78)
  CONSTRAINT units_range CHECK (VALUE > 0 AND VALUE < 2::numeric ^ 256);

-- The wallets of payers, as an organization knows them. A wallet accepts a subscription.
CREATE TABLE subscriptions.wallets (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  -- The wallet provider's own id.
  external_id text NOT NULL CONSTRAINT wallets_external_id_length CHECK (length(external_id) BETWEEN 1 AND 128),
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  CONSTRAINT wallets_once UNIQUE (organization_id, external_id)
);
CREATE TRIGGER wallets_append_only BEFORE UPDATE OR DELETE ON subscriptions.wallets
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER wallets_never_truncated BEFORE TRUNCATE ON subscriptions.wallets
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

CREATE TABLE subscriptions.subscriptions (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  point_of_sale_id uuid NOT NULL,
  -- 128 random bits in base64url open the payer's page.
  code text NOT NULL CONSTRAINT subscriptions_code_spelling CHECK (code ~ '^[A-Za-z0-9_-]{22}$'),
  merchant_name text NOT NULL,
  network text NOT NULL,
  unique_asset_id text NOT NULL,
  currency text NOT NULL,
  decimals integer NOT NULL CONSTRAINT subscriptions_decimals CHECK (decimals BETWEEN 0 AND 77),
  -- The amount of each charge.
  amount subscriptions.units NOT NULL,
  "interval" text NOT NULL CONSTRAINT subscriptions_interval CHECK ("interval" IN ('P1D', 'P1W', 'P1M', 'P1Y')),
  reference_id text,
  trial_until timestamptz,
  ends_at timestamptz,
  status text NOT NULL CONSTRAINT subscriptions_status
    CHECK (status IN ('pending', 'active', 'past_due', 'completed', 'expired', 'revoked')),
  offered_until timestamptz NOT NULL,
  wallet_id uuid REFERENCES subscriptions.wallets,
  accepted_at timestamptz,
  -- Due date 0, from which all others are counted.
  first_due_at timestamptz,
  next_number integer CONSTRAINT subscriptions_next_number CHECK (next_number >= 0),
  next_charge_at timestamptz,
  revoked_by text CONSTRAINT subscriptions_revoked_by CHECK (revoked_by IN ('merchant', 'wallet', 'payer', 'unpaid')),
  -- The time that moves it next; null where only an event or a caller does.
  next_step_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- A subscription whose step fails is left out until then; null where none failed. `next_step_at` says all the same when it is
  -- due.
  parked_until timestamptz,
  CONSTRAINT subscriptions_code_once UNIQUE (code),
  CONSTRAINT subscriptions_accepted_whole CHECK (num_nulls(wallet_id, accepted_at, first_due_at) IN (0, 3)),
  CONSTRAINT subscriptions_accepted_before_charged
    CHECK (status NOT IN ('active', 'past_due', 'completed') OR wallet_id IS NOT NULL),
  CONSTRAINT subscriptions_never_accepted CHECK (status NOT IN ('pending', 'expired') OR wallet_id IS NULL),
  CONSTRAINT subscriptions_next_whole CHECK (num_nulls(next_number, next_charge_at) IN (0, 2)),
  CONSTRAINT subscriptions_next_before_end CHECK (ends_at IS NULL OR next_charge_at < ends_at),
  CONSTRAINT subscriptions_over_without_next
    CHECK (status IN ('pending', 'active', 'past_due') OR num_nulls(next_charge_at, next_step_at) = 2),
  CONSTRAINT subscriptions_revoked_whole CHECK ((status = 'revoked') = (revoked_by IS NOT NULL))
);
CREATE INDEX subscriptions_of_point_of_sale ON subscriptions.subscriptions (point_of_sale_id, id);
CREATE INDEX subscriptions_by_status ON subscriptions.subscriptions (point_of_sale_id, status, id);
CREATE INDEX subscriptions_due ON subscriptions.subscriptions (next_step_at) WHERE next_step_at IS NOT NULL;
CREATE INDEX subscriptions_open_of_account ON subscriptions.subscriptions (organization_id, account_id)
  WHERE status IN ('pending', 'active', 'past_due');
CREATE INDEX subscriptions_of_organization ON subscriptions.subscriptions (organization_id, id DESC);
CREATE INDEX subscriptions_of_organization_by_status ON subscriptions.subscriptions (organization_id, status, id DESC);
CREATE INDEX subscriptions_by_reference ON subscriptions.subscriptions (organization_id, reference_id)
  WHERE reference_id IS NOT NULL;
CREATE INDEX subscriptions_of_wallet ON subscriptions.subscriptions (wallet_id) WHERE wallet_id IS NOT NULL;

-- A subscription keeps what was agreed, and its status changes only as the domain's table says.
CREATE FUNCTION subscriptions.keep_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.organization_id, OLD.account_id, OLD.point_of_sale_id, OLD.code, OLD.network, OLD.unique_asset_id,
      OLD.decimals, OLD.amount, OLD."interval", OLD.reference_id, OLD.trial_until, OLD.ends_at, OLD.offered_until, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.organization_id, NEW.account_id, NEW.point_of_sale_id, NEW.code, NEW.network,
      NEW.unique_asset_id, NEW.decimals, NEW.amount, NEW."interval", NEW.reference_id, NEW.trial_until, NEW.ends_at,
      NEW.offered_until, NEW.created_at)
    OR OLD.wallet_id IS NOT NULL AND (OLD.wallet_id, OLD.accepted_at, OLD.first_due_at)
      IS DISTINCT FROM (NEW.wallet_id, NEW.accepted_at, NEW.first_due_at) THEN
    RAISE EXCEPTION 'a subscription keeps what was agreed';
  END IF;
  IF OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (
      ('pending', 'active'), ('pending', 'expired'), ('pending', 'revoked'),
      ('active', 'past_due'), ('active', 'completed'), ('active', 'revoked'),
      ('past_due', 'active'), ('past_due', 'revoked'),
      -- These are two changes in one unit of work: the last charge was paid after the end.
      ('past_due', 'completed')) THEN
    RAISE EXCEPTION 'a subscription that is % does not become %', OLD.status, NEW.status;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER subscriptions_kept BEFORE UPDATE ON subscriptions.subscriptions
  FOR EACH ROW EXECUTE FUNCTION subscriptions.keep_subscription();
CREATE TRIGGER subscriptions_never_deleted BEFORE DELETE ON subscriptions.subscriptions
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER subscriptions_never_emptied BEFORE TRUNCATE ON subscriptions.subscriptions
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

CREATE TABLE subscriptions.status_history (
  subscription_id uuid NOT NULL REFERENCES subscriptions.subscriptions,
  step integer NOT NULL,
  status text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (subscription_id, step)
);
CREATE TRIGGER status_history_append_only BEFORE UPDATE OR DELETE ON subscriptions.status_history
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER status_history_never_truncated BEFORE TRUNCATE ON subscriptions.status_history
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- A charge: what is owed for one due date.
CREATE TABLE subscriptions.charges (
  id uuid PRIMARY KEY,
  subscription_id uuid NOT NULL REFERENCES subscriptions.subscriptions,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- The number of its due date in the series; missed dates leave gaps.
  number integer NOT NULL CONSTRAINT charges_number CHECK (number >= 0),
  due_at timestamptz NOT NULL,
  closes_at timestamptz NOT NULL,
  status text NOT NULL CONSTRAINT charges_status CHECK (status IN ('open', 'paid', 'unpaid')),
  next_try smallint NOT NULL,
  counted_tries smallint NOT NULL,
  missed_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  CONSTRAINT charges_once UNIQUE (subscription_id, number),
  CONSTRAINT charges_due_date_once UNIQUE (subscription_id, due_at),
  CONSTRAINT charges_due_before_closed CHECK (due_at < closes_at),
  CONSTRAINT charges_tries CHECK (next_try BETWEEN 0 AND 4 AND counted_tries BETWEEN 0 AND next_try),
  CONSTRAINT charges_counted_was_missed CHECK (counted_tries = 0 OR missed_at IS NOT NULL),
  CONSTRAINT charges_paid_whole CHECK ((status = 'paid') = (paid_at IS NOT NULL))
);
CREATE INDEX charges_open ON subscriptions.charges (subscription_id) WHERE status = 'open';

CREATE FUNCTION subscriptions.keep_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.subscription_id, OLD.organization_id, OLD.account_id, OLD.number, OLD.due_at, OLD.closes_at, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.subscription_id, NEW.organization_id, NEW.account_id, NEW.number, NEW.due_at,
      NEW.closes_at, NEW.created_at)
    OR OLD.status = 'paid' AND (NEW.status, NEW.paid_at) IS DISTINCT FROM (OLD.status, OLD.paid_at)
    OR OLD.status = 'unpaid' AND NEW.status = 'open'
    OR NEW.counted_tries < OLD.counted_tries
    OR OLD.missed_at IS NOT NULL AND NEW.missed_at IS DISTINCT FROM OLD.missed_at THEN
    RAISE EXCEPTION 'a charge keeps its due date, and what it came to';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER charges_kept BEFORE UPDATE ON subscriptions.charges
  FOR EACH ROW EXECUTE FUNCTION subscriptions.keep_charge();
CREATE TRIGGER charges_never_deleted BEFORE DELETE ON subscriptions.charges
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER charges_never_emptied BEFORE TRUNCATE ON subscriptions.charges
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- The payment requests of charges. Their ids are chosen and stored here before payments is asked to open them.
CREATE TABLE subscriptions.charge_requests (
  payment_request_id uuid PRIMARY KEY,
  charge_id uuid NOT NULL REFERENCES subscriptions.charges,
  subscription_id uuid NOT NULL REFERENCES subscriptions.subscriptions,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- The number of the charge's try; null where the payer asked between two tries.
  attempt smallint CONSTRAINT charge_requests_attempt CHECK (attempt BETWEEN 0 AND 3),
  status text NOT NULL CONSTRAINT charge_requests_status
    CHECK (status IN ('planned', 'open', 'paid', 'unpaid', 'cut_short', 'dropped')),
  window_cut boolean NOT NULL DEFAULT false,
  planned_at timestamptz NOT NULL,
  -- A sentence on why payments did not open it at the last try.
  refused text
);
-- A charge has at most one open request.
CREATE UNIQUE INDEX charge_requests_in_flight ON subscriptions.charge_requests (charge_id) WHERE status IN ('planned', 'open');
CREATE INDEX charge_requests_of_charge ON subscriptions.charge_requests (charge_id, payment_request_id);

CREATE FUNCTION subscriptions.keep_charge_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.payment_request_id, OLD.charge_id, OLD.subscription_id, OLD.organization_id, OLD.account_id, OLD.attempt, OLD.planned_at)
    IS DISTINCT FROM (NEW.payment_request_id, NEW.charge_id, NEW.subscription_id, NEW.organization_id, NEW.account_id,
      NEW.attempt, NEW.planned_at)
    OR OLD.status IN ('paid', 'unpaid', 'cut_short') AND NEW.status <> OLD.status
    OR OLD.status = 'open' AND NEW.status IN ('planned', 'dropped') THEN
    RAISE EXCEPTION 'a request of a charge keeps what it is, and an ended one stays as it is';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER charge_requests_kept BEFORE UPDATE ON subscriptions.charge_requests
  FOR EACH ROW EXECUTE FUNCTION subscriptions.keep_charge_request();
CREATE TRIGGER charge_requests_never_deleted BEFORE DELETE ON subscriptions.charge_requests
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER charge_requests_never_emptied BEFORE TRUNCATE ON subscriptions.charge_requests
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

CREATE VIEW subscriptions.public_open_subscriptions AS
  SELECT id, organization_id, account_id FROM subscriptions.subscriptions WHERE status IN ('pending', 'active', 'past_due');

CREATE VIEW subscriptions.public_subscription_records AS
  SELECT id, organization_id, code, reference_id, status, wallet_id, created_at FROM subscriptions.subscriptions;

CREATE VIEW subscriptions.public_wallets AS
  SELECT id, organization_id, external_id FROM subscriptions.wallets;
