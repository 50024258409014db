CREATE SCHEMA webhooks;

CREATE TABLE webhooks.webhooks (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  url text NOT NULL CHECK (char_length(url) <= 2048),
  event_type text NOT NULL CHECK (event_type IN ('payment_request', 'incoming_transfer', 'refund')),
  description text,
  active boolean NOT NULL DEFAULT true,
  -- The newest recorded attempt was not acknowledged.
  failing boolean NOT NULL DEFAULT false,
  -- AES-256-GCM under the key of that id: nonce, tag, ciphertext.
  secret_key_id text NOT NULL,
  sealed_secret bytea NOT NULL,
  -- Events of later transactions are its own. Transactions below an event that is being read have all ended
  -- (see platform.events), so who is to hear of an event is exact, whatever the order of commits and clocks.
  subscribed_since xid8 NOT NULL DEFAULT pg_current_xact_id(),
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  updated_at timestamptz NOT NULL DEFAULT platform.now()
);
CREATE INDEX webhooks_subscribed ON webhooks.webhooks (account_id, event_type) WHERE active;

CREATE TABLE webhooks.deliveries (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  webhook_id uuid NOT NULL REFERENCES webhooks.webhooks (id),
  event_id uuid NOT NULL,
  event_type text NOT NULL CHECK (event_type IN ('payment_request', 'incoming_transfer', 'refund')),
  payment_request_id uuid NOT NULL,
  -- Canonical JSON, the very bytes that are sent and signed; text, because jsonb would spell it anew.
  body text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  UNIQUE (event_id, webhook_id)
);

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
  -- The delivery's after this attempt.
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  http_status integer CHECK (http_status BETWEEN 100 AND 999),
  error text,
  duration_ms integer CHECK (duration_ms >= 0),
  next_attempt_at timestamptz,
  created_at timestamptz NOT NULL,
  UNIQUE (delivery_id, attempt),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK ((status = 'delivered') = (error IS NULL)),
  CHECK (status <> 'delivered' OR http_status = 200)
);
CREATE TRIGGER delivery_attempts_append_only BEFORE UPDATE OR DELETE ON webhooks.delivery_attempts
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER delivery_attempts_never_truncated BEFORE TRUNCATE ON webhooks.delivery_attempts
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
