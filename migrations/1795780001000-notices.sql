SET LOCAL lock_timeout = '3s';

-- Mails to a merchant's people: rules that say who gets mail of what, what waits to be mailed, and reports.
CREATE SCHEMA notices;

CREATE TABLE notices.rules (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  kinds text[] NOT NULL CONSTRAINT rules_kinds CHECK (cardinality(kinds) > 0 AND kinds <@ ARRAY['completed', 'underpaid',
    'deposit', 'refund', 'failing_webhook', 'low_float', 'weekly_report', 'monthly_report']),
  -- The least time between two mails of events.
  every_minutes integer NOT NULL CONSTRAINT rules_every CHECK (every_minutes IN (5, 60, 1440)),
  -- Days, weeks and months of its mails are those of this time zone of the IANA database.
  time_zone text NOT NULL,
  -- The refund float is low while less than this is free in it; smallest units of the asset.
  float_asset text,
  float_below numeric(78, 0) CONSTRAINT rules_float_below CHECK (float_below > 0),
  float_is_low boolean NOT NULL DEFAULT false,
  last_mailed_at timestamptz,
  -- The time from which on what waits is mailed; null while nothing waits.
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT rules_float CHECK (num_nonnulls(float_asset, float_below) = CASE WHEN 'low_float' = ANY (kinds) THEN 2 ELSE 0 END)
);
CREATE INDEX rules_of_account ON notices.rules (account_id);
CREATE INDEX rules_of_organization ON notices.rules (organization_id, id);
CREATE INDEX rules_due ON notices.rules (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE notices.recipients (
  id uuid PRIMARY KEY,
  rule_id uuid NOT NULL REFERENCES notices.rules (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL,
  email text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  -- The mark of the cell and 256 random bits, in the address that its mails name to confirm and to unsubscribe. Every mail repeats it, so it is kept as it
  -- is: whoever reads it here can end and begin these mails, and learns nothing of what they say.
  token text NOT NULL UNIQUE CHECK (length(token) = 44),
  -- Null until the address has confirmed, or was that of a collaborator when it was added.
  confirmed_at timestamptz,
  -- The last mail that asked it to confirm; the link in it is valid for some days.
  asked_at timestamptz,
  unsubscribed_at timestamptz,
  created_at timestamptz NOT NULL,
  UNIQUE (rule_id, email)
);

-- Mails that asked an address to confirm: they bound how many more may.
CREATE TABLE notices.asked_addresses (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  email text NOT NULL,
  asked_at timestamptz NOT NULL
);
CREATE INDEX asked_addresses_of_organization ON notices.asked_addresses (organization_id, asked_at);
CREATE INDEX asked_addresses_by_email ON notices.asked_addresses (email, asked_at);
CREATE INDEX asked_addresses_by_time ON notices.asked_addresses (asked_at);

-- Addresses that have unsubscribed from a rule of the organization: further rules ask them, also one of a collaborator. The
-- digest alone is kept, since its person wants nothing.
CREATE TABLE notices.unsubscribed_addresses (
  organization_id uuid NOT NULL,
  address_digest bytea NOT NULL CHECK (length(address_digest) = 32),
  at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, address_digest)
);

-- Events that wait to be mailed, summed up: however many there are, a rule has a few rows of a few hundred bytes.
CREATE TABLE notices.pending (
  rule_id uuid NOT NULL REFERENCES notices.rules (id) ON DELETE CASCADE,
  kind text NOT NULL,
  -- The status or reason that the events have in common.
  state text NOT NULL,
  -- Empty where no money is in question.
  unique_asset_id text NOT NULL,
  currency text,
  network text,
  decimals smallint,
  events bigint NOT NULL CHECK (events > 0),
  amount numeric(96, 0) NOT NULL CHECK (amount >= 0),
  -- The first of them, as the mail lists them.
  examples jsonb NOT NULL CHECK (jsonb_array_length(examples) BETWEEN 1 AND 10),
  PRIMARY KEY (rule_id, kind, state, unique_asset_id)
);

-- Failing webhooks that a rule has reported; a row goes when the webhook is well again.
CREATE TABLE notices.reported_webhooks (
  rule_id uuid NOT NULL REFERENCES notices.rules (id) ON DELETE CASCADE,
  webhook_id uuid NOT NULL,
  PRIMARY KEY (rule_id, webhook_id)
);

-- The next report of each kind that a rule has: its period begins on that day, and is over before it is due.
CREATE TABLE notices.report_schedules (
  rule_id uuid NOT NULL REFERENCES notices.rules (id) ON DELETE CASCADE,
  period text NOT NULL CHECK (period IN ('week', 'month')),
  starts_on date NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (rule_id, period)
);
CREATE INDEX report_schedules_due ON notices.report_schedules (due_at);

-- Reports as they were mailed, one for each period. Amounts in `figures` are decimal integers.
CREATE TABLE notices.reports (
  rule_id uuid NOT NULL REFERENCES notices.rules (id) ON DELETE CASCADE,
  period text NOT NULL CHECK (period IN ('week', 'month')),
  starts_on date NOT NULL,
  -- The first day after it.
  ends_before date NOT NULL,
  figures jsonb NOT NULL,
  recipients integer NOT NULL,
  made_at timestamptz NOT NULL,
  PRIMARY KEY (rule_id, period, starts_on)
);

-- No rule can be older than this: its subscriber leaves the events before alone. Every event of a transaction that still runs is
-- behind this position.
INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position)
VALUES ('notices', pg_snapshot_xmin(pg_current_snapshot()), 0);

-- What rules read of other contexts.
CREATE VIEW identity.public_collaborators AS
  SELECT id, organization_id, email, enabled FROM identity.collaborators;

CREATE VIEW payments.public_outcomes AS
  SELECT id, organization_id, status, underpayment_accepted FROM payments.payment_requests WHERE confirmed_at IS NOT NULL;

-- The free amount of an organization's present float. `holding` is a token's contract, or `native`.
CREATE VIEW settlement.public_free_floats AS
  SELECT f.organization_id, f.network, h.holding,
    greatest(h.topped_up - h.refunded - h.withdrawn - h.gas - h.missing - h.reserved, 0) AS free
  FROM settlement.refund_floats f JOIN settlement.refund_float_holdings h ON h.float_id = f.id WHERE f.replaced_at IS NULL;

-- The host alone: the rest of a URL may hold a secret.
CREATE VIEW webhooks.public_failing_webhooks AS
  SELECT id, organization_id, account_id, substring(url FROM '^[a-z]+://[^/?#]+') AS host, failing_since
  FROM webhooks.webhooks WHERE failing AND active AND deleted_at IS NULL;

-- Sums of the transactions that were recorded in [from, until), by type and asset, without those that have failed. Times never fall
-- from one number of an account to the next, so the range is found by halving.
CREATE FUNCTION ledger.public_account_figures(organization uuid, account uuid, since timestamptz, until timestamptz)
RETURNS TABLE (type text, unique_asset_id text, network text, currency text, decimals smallint, transactions bigint,
  gross numeric, net numeric)
LANGUAGE sql STABLE AS $$
  WITH range AS MATERIALIZED (
    SELECT ledger.account_sequence_before(account, s.last, since) AS after,
      ledger.account_sequence_before(account, s.last, until) AS upto
    FROM ledger.sequences s WHERE s.scope_id = account AND s.organization_id = organization)
  SELECT t.type, t.unique_asset_id, t.network, t.currency, t.decimals, count(*), sum(t.gross_amount), sum(t.net_amount)
  FROM range JOIN ledger.transactions t
    ON t.account_id = account AND t.account_sequence > range.after AND t.account_sequence <= range.upto
  WHERE NOT EXISTS (SELECT FROM ledger.status_changes c WHERE c.transaction_id = t.id AND c.status = 'failed')
  GROUP BY t.type, t.unique_asset_id, t.network, t.currency, t.decimals
$$;

-- Few webhooks fail: they are found without a look at the others.
CREATE INDEX webhooks_failing ON webhooks.webhooks (id) WHERE failing;
