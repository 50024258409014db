CREATE SCHEMA platform;

-- The one clock. Only the sandbox may move the offset.
CREATE TABLE platform.clock_offset (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  value interval NOT NULL
);
INSERT INTO platform.clock_offset (value) VALUES (interval '0');

-- Whole milliseconds, so that a time survives the way through a program and back unchanged.
CREATE FUNCTION platform.now() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT date_trunc('milliseconds', now() + value) FROM platform.clock_offset $$;

CREATE FUNCTION platform.refuse_change() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME; END $$;

-- Facts of all contexts. A reader goes by (transaction_id, position) up to the oldest running transaction.
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

CREATE TABLE platform.subscriber_positions (
  subscriber text PRIMARY KEY,
  transaction_id xid8 NOT NULL,
  position bigint NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE platform.parked_events (
  subscriber text NOT NULL,
  event_id uuid NOT NULL REFERENCES platform.events (id),
  aggregate_id uuid NOT NULL,
  reason text NOT NULL,
  -- Set by the operator; the subscriber then tries again.
  retry boolean NOT NULL DEFAULT false,
  parked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (subscriber, event_id)
);
CREATE INDEX parked_events_of_aggregate ON platform.parked_events (subscriber, aggregate_id);

CREATE TABLE platform.due_work (
  kind text NOT NULL,
  key uuid NOT NULL,
  lane uuid NOT NULL,
  due_at timestamptz NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  claim uuid,
  claimed_until timestamptz,
  PRIMARY KEY (kind, key)
);
CREATE INDEX due_work_by_time ON platform.due_work (kind, due_at);
-- A claim walks from lane to lane, so that what waits in a busy one costs nothing.
CREATE INDEX due_work_by_lane ON platform.due_work (kind, lane, due_at);

CREATE TABLE platform.leases (
  name text PRIMARY KEY,
  holder uuid NOT NULL,
  epoch bigint NOT NULL,
  expires_at timestamptz NOT NULL
);
