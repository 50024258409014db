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

-- For triggers of append-only tables.
CREATE FUNCTION platform.refuse_change() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME; END $$;

-- The events of all contexts. A reader goes by (transaction_id, position) up to the oldest running transaction: rows
-- of transactions that run become visible later, in any order of position.
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

-- How far each subscriber has applied the event log.
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
  -- Set by the operator: the subscriber tries the event again.
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
