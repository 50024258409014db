-- Merchants' event logs, their webhooks, and the deliveries with each attempt.
-- The views and functions named public_… are the context's contract: other contexts read these, and no table.
CREATE SCHEMA webhooks;

-- Merchants' events in the bytes that are sent, whether or not a webhook subscribes to them.
CREATE TABLE webhooks.events (
  -- One subscriber writes, one batch after the other: whoever can read a number can read all smaller ones.
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The id of the event in platform.events.
  id uuid NOT NULL UNIQUE,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- Deposits, adjustments, settlements and subscriptions are in the merchant's event log; no webhook can subscribe to them.
  event_type text NOT NULL CHECK (event_type IN
    ('payment_request', 'incoming_transfer', 'refund', 'deposit', 'adjustment', 'settlement', 'subscription')),
  payment_request_id uuid,
  -- Canonical JSON. text, because jsonb would not keep the bytes.
  body text NOT NULL,
  occurred_at timestamptz NOT NULL,
  -- A settlement is of many payment requests, and a subscription of none.
  CONSTRAINT events_of_a_payment_request CHECK (
    (payment_request_id IS NULL) = (event_type IN ('settlement', 'subscription')))
);
CREATE INDEX events_of_organization ON webhooks.events (organization_id, number);
CREATE INDEX events_of_account ON webhooks.events (account_id, number);
-- A replay of a time range reads by it.
CREATE INDEX events_of_account_by_time ON webhooks.events (account_id, occurred_at);
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE ON webhooks.events
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER events_never_truncated BEFORE TRUNCATE ON webhooks.events
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

CREATE TABLE webhooks.webhooks (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  url text NOT NULL CHECK (char_length(url) <= 2048),
  event_type text NOT NULL CHECK (event_type IN ('payment_request', 'incoming_transfer', 'refund')),
  description text,
  active boolean NOT NULL DEFAULT true,
  deleted_at timestamptz,
  -- True once nothing was acknowledged for days.
  failing boolean NOT NULL DEFAULT false,
  -- The start of the first unacknowledged attempt since the last acknowledged one; null after an acknowledged one.
  failing_since timestamptz,
  -- AES-256-GCM under the key of that id: nonce, tag, ciphertext.
  secret_key_id text NOT NULL,
  sealed_secret bytea NOT NULL,
  -- The previous secret signs together with the present one until that time, or until the merchant ends it.
  previous_secret_key_id text,
  previous_sealed_secret bytea,
  previous_secret_until timestamptz,
  -- Events of later transactions are delivered. Transactions below an event that is being read have all ended (see
  -- platform.events), so which webhooks receive an event is exact for any order of commits and clocks.
  subscribed_since xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- The webhook was deactivated or deleted, and some of its pending deliveries have not been ended yet.
  ending_deliveries boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  updated_at timestamptz NOT NULL DEFAULT platform.now(),
  -- The time of the newest event among the deliveries that were pruned: later events still have theirs. Null before the first.
  deliveries_pruned_until timestamptz,
  CONSTRAINT webhooks_deleted_are_inactive CHECK (deleted_at IS NULL OR NOT active),
  CONSTRAINT webhooks_previous_secret_complete
    CHECK (num_nulls(previous_secret_key_id, previous_sealed_secret, previous_secret_until) IN (0, 3))
);
CREATE INDEX webhooks_subscribed ON webhooks.webhooks (account_id, event_type) WHERE active;
CREATE INDEX webhooks_of_account ON webhooks.webhooks (account_id, id) WHERE deleted_at IS NULL;
CREATE INDEX webhooks_ending_deliveries ON webhooks.webhooks (id) WHERE ending_deliveries;
-- The dashboard lists the webhooks of all accounts.
CREATE INDEX webhooks_of_organization ON webhooks.webhooks (organization_id, id) WHERE deleted_at IS NULL;

CREATE TABLE webhooks.deliveries (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  webhook_id uuid NOT NULL REFERENCES webhooks.webhooks (id),
  -- Null for a test, which has no event.
  event_id uuid,
  event_type text NOT NULL CHECK (event_type IN ('payment_request', 'incoming_transfer', 'refund')),
  payment_request_id uuid NOT NULL,
  -- Canonical JSON, the very bytes that are sent and signed. text, because jsonb would not keep the bytes.
  body text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  -- Attempts made before the delivery was last queued: a resend begins the schedule again, and continues the log.
  attempts_before integer NOT NULL DEFAULT 0 CHECK (attempts_before >= 0),
  -- The preceding delivery of a replay: this one is queued when that one ends.
  waits_for uuid REFERENCES webhooks.deliveries (id),
  -- The transaction that queued it last. A delivery from before the webhook was last activated ends without an attempt.
  queued_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  UNIQUE (event_id, webhook_id),
  CONSTRAINT deliveries_only_pending_wait CHECK (waits_for IS NULL OR status = 'pending')
);
-- Only replays wait, so the index is empty most of the time.
CREATE INDEX deliveries_waiting_for ON webhooks.deliveries (waits_for) WHERE waits_for IS NOT NULL;

-- The log that merchants read: one row per attempt.
CREATE TABLE webhooks.delivery_attempts (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  delivery_id uuid NOT NULL REFERENCES webhooks.deliveries (id),
  webhook_id uuid NOT NULL,
  event_type text NOT NULL,
  payment_request_id uuid NOT NULL,
  attempt integer NOT NULL CHECK (attempt >= 1),
  -- The delivery's status after the attempt.
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  http_status integer CHECK (http_status BETWEEN 100 AND 999),
  error text,
  duration_ms integer CHECK (duration_ms >= 0),
  next_attempt_at timestamptz,
  created_at timestamptz NOT NULL,
  UNIQUE (delivery_id, attempt),
  CONSTRAINT delivery_attempts_next_while_pending CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT delivery_attempts_error_unless_delivered CHECK ((status = 'delivered') = (error IS NULL)),
  CONSTRAINT delivery_attempts_delivered_with_200 CHECK (status <> 'delivered' OR http_status = 200)
);
CREATE INDEX delivery_attempts_log ON webhooks.delivery_attempts (account_id, created_at DESC, id DESC);
CREATE INDEX delivery_attempts_of_webhook ON webhooks.delivery_attempts (webhook_id, created_at DESC, id DESC);
-- Attempts that ended their delivery, in the order in which they are pruned.
CREATE INDEX delivery_attempts_ended ON webhooks.delivery_attempts (created_at, id) WHERE status <> 'pending';

CREATE FUNCTION webhooks.count_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The order of accounts keeps two workers from a deadlock that record attempts of the same accounts at once.
  INSERT INTO webhooks.attempt_totals AS t (account_id, attempts)
  SELECT account_id, count(*) FROM added GROUP BY account_id ORDER BY account_id
  ON CONFLICT (account_id) DO UPDATE SET attempts = t.attempts + excluded.attempts;
  RETURN NULL;
END $$;
-- An attempt never changes. It is deleted with its delivery, and neither within a week: what a merchant asks about stays, even
-- against a mistaken command.
CREATE FUNCTION webhooks.keep_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.created_at < platform.now() - interval '7 days' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'webhooks.delivery_attempts is append-only, and pruned after 7 days at the earliest';
END $$;
CREATE FUNCTION webhooks.count_pruned_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The order of accounts is that of counting.
  PERFORM FROM webhooks.attempt_totals WHERE account_id IN (SELECT account_id FROM removed)
    ORDER BY account_id FOR NO KEY UPDATE;
  UPDATE webhooks.attempt_totals t SET attempts = t.attempts - r.attempts
  FROM (SELECT account_id, count(*) AS attempts FROM removed GROUP BY account_id) r WHERE t.account_id = r.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER delivery_attempts_counted AFTER INSERT ON webhooks.delivery_attempts
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION webhooks.count_attempts();
CREATE TRIGGER delivery_attempts_kept BEFORE UPDATE OR DELETE ON webhooks.delivery_attempts
  FOR EACH ROW EXECUTE FUNCTION webhooks.keep_attempt();
CREATE TRIGGER delivery_attempts_never_emptied BEFORE TRUNCATE ON webhooks.delivery_attempts
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER delivery_attempts_uncounted AFTER DELETE ON webhooks.delivery_attempts
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION webhooks.count_pruned_attempts();

-- The length of each account's log, which would take long to count. The triggers above keep it, so that no writer can forget it.
CREATE TABLE webhooks.attempt_totals (
  account_id uuid PRIMARY KEY,
  attempts bigint NOT NULL CHECK (attempts >= 0)
);

CREATE VIEW webhooks.public_active_webhooks AS
  SELECT id, organization_id, account_id FROM webhooks.webhooks WHERE active;

-- One row per attempt, and one without an attempt for a delivery that waits for its first.
CREATE VIEW webhooks.public_delivery_attempts AS
  SELECT d.id AS delivery_id, d.organization_id, d.webhook_id, d.event_id, d.event_type, a.attempt,
    COALESCE(a.status, d.status) AS status, a.http_status, a.error, COALESCE(a.created_at, d.created_at) AS created_at
  FROM webhooks.deliveries d LEFT JOIN webhooks.delivery_attempts a ON a.delivery_id = d.id;

-- The dashboard's search finds webhooks, active or not.
CREATE VIEW webhooks.public_registered_webhooks AS
  SELECT id, organization_id, event_type, created_at FROM webhooks.webhooks WHERE deleted_at IS NULL;
