-- What all contexts use: the clock, the event log, due work, leases, idempotency keys, the operator's log.
CREATE SCHEMA platform;

-- The service's clock is the database's plus this offset. Only the sandbox may move it.
CREATE TABLE platform.clock_offset (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  value interval NOT NULL
);
INSERT INTO platform.clock_offset (value) VALUES (interval '0');

-- Whole milliseconds: JavaScript keeps no more, and a time must not change by being read and written.
CREATE FUNCTION platform.now() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT date_trunc('milliseconds', now() + value) FROM platform.clock_offset $$;

-- Triggers of append-only tables call this.
CREATE FUNCTION platform.refuse_change() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME; END $$;

-- The events of all contexts. A reader goes by (transaction_id, position) up to the oldest running transaction: rows of
-- running transactions become visible later, in any order of position.
CREATE TABLE platform.events (
  id uuid PRIMARY KEY,
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  aggregate_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  data jsonb NOT NULL
);
CREATE UNIQUE INDEX events_reading_order ON platform.events (transaction_id, position);
CREATE INDEX events_of_aggregate ON platform.events (aggregate_id, position);
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE ON platform.events
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER events_never_truncated BEFORE TRUNCATE ON platform.events
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- A chain of digests over the event log in reading order: seal n is over seal n - 1 and the events after it, up to
-- (transaction_id, position). A later change of the log no longer fits its seal.
CREATE TABLE platform.seals (
  number bigint PRIMARY KEY CHECK (number >= 0),
  transaction_id xid8 NOT NULL,
  position bigint NOT NULL,
  -- The number of events that the seal covers.
  events integer NOT NULL CHECK (events >= 0),
  digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER seals_append_only BEFORE UPDATE OR DELETE ON platform.seals
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER seals_never_truncated BEFORE TRUNCATE ON platform.seals
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
-- The chain begins with a seal over nothing, so that a chain that was erased is found too.
INSERT INTO platform.seals (number, transaction_id, position, events, digest) VALUES (0, '0', 0, 0, sha256(''));

-- The position up to which each subscriber has applied the event log.
CREATE TABLE platform.subscriber_positions (
  subscriber text PRIMARY KEY,
  transaction_id xid8 NOT NULL,
  position bigint NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Events that a subscriber could not apply. Later events of the same aggregate are parked behind them.
CREATE TABLE platform.parked_events (
  subscriber text NOT NULL,
  event_id uuid NOT NULL REFERENCES platform.events (id),
  aggregate_id uuid NOT NULL,
  reason text NOT NULL,
  -- The operator sets it, and the subscriber tries the event again.
  retry boolean NOT NULL DEFAULT false,
  parked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (subscriber, event_id)
);
CREATE INDEX parked_events_of_aggregate ON platform.parked_events (subscriber, aggregate_id);

-- Work that is due at a time. One worker claims it until `claimed_until`; then another may.
CREATE TABLE platform.due_work (
  kind text NOT NULL,
  key uuid NOT NULL,
  -- Work of one lane is limited together: the deliveries of a webhook, for example.
  lane uuid NOT NULL,
  due_at timestamptz NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  claim uuid,
  claimed_until timestamptz,
  PRIMARY KEY (kind, key)
  -- A claim changes no indexed column: with room in the page, the new version of the row costs no index entry.
) WITH (fillfactor = 50);
CREATE INDEX due_work_by_time ON platform.due_work (kind, due_at);
-- A claim goes from lane to lane, so that it does not read the work that waits in a busy one.
CREATE INDEX due_work_by_lane ON platform.due_work (kind, lane, due_at);

-- At most one process holds a lease. The epoch grows with each holder: a write under an older epoch is refused.
CREATE TABLE platform.leases (
  name text PRIMARY KEY,
  holder uuid NOT NULL,
  epoch bigint NOT NULL,
  expires_at timestamptz NOT NULL
);

-- A credential's requests under keys of its own, so that a repetition is answered as the first request was. Rows are kept for
-- 24 hours by the service's clock. The credential belongs to identity; here it is only a scope.
CREATE TABLE platform.idempotency_keys (
  credential_id uuid NOT NULL,
  key text COLLATE "C" NOT NULL CHECK (key ~ '^[!-~]{1,255}$'),
  -- Method and route, for people to read.
  operation text NOT NULL,
  -- SHA-256 of method, route, path parameters and body.
  request_digest bytea NOT NULL CHECK (octet_length(request_digest) = 32),
  -- Tells two executions of the same request apart.
  execution_id uuid NOT NULL,
  -- The id of the created object, where it has one.
  object_id uuid,
  -- `data` of the answer, without secrets. A body has at most 64 KiB, and what is derived from it not much more.
  answer text CHECK (octet_length(answer) <= 262144),
  -- A key whose execution acts outside the database is held before its object is there. The time is real, not the clock's.
  held_until timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (credential_id, key),
  CONSTRAINT idempotency_keys_held_or_answered CHECK ((answer IS NULL) <> (held_until IS NULL))
);
CREATE INDEX idempotency_keys_by_time ON platform.idempotency_keys (created_at);

-- The log of the operator's commands, also of those that concern the whole installation. No organization sees it. It holds no
-- secrets: the arguments are those that were typed, and no command takes a secret as one.
CREATE TABLE platform.operator_actions (
  position bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  -- All entries of one run of a command have it in common.
  action_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT platform.now(),
  actor text NOT NULL,
  command text NOT NULL,
  -- Arguments and options by name.
  arguments jsonb NOT NULL,
  -- An action that is one transaction has `done` alone, in that transaction. Any other has `begun` before it.
  outcome text NOT NULL CHECK (outcome IN ('begun', 'done', 'failed')),
  -- The reason of a failure.
  reason text,
  CONSTRAINT operator_actions_once UNIQUE (action_id, outcome),
  CONSTRAINT operator_actions_reason CHECK ((reason IS NOT NULL) = (outcome = 'failed'))
);
CREATE TRIGGER operator_actions_append_only BEFORE UPDATE OR DELETE ON platform.operator_actions
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER operator_actions_never_truncated BEFORE TRUNCATE ON platform.operator_actions
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
