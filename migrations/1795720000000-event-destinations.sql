SET LOCAL lock_timeout = '3s';

-- Brokers that follow the merchants' event log, by the name that the settings give them.
CREATE TABLE webhooks.destinations (
  name text PRIMARY KEY,
  -- The number of the last event that the broker has acknowledged together with all before it.
  number bigint NOT NULL DEFAULT 0 CONSTRAINT destinations_number CHECK (number >= 0),
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- How often an operator has moved the position back: an acknowledgement of before then moves nothing.
  replays integer NOT NULL DEFAULT 0,
  -- The last time a worker had it among its settings.
  configured_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The fault that keeps the next event from being published, absent while there is none.
  failing_since timestamptz,
  failure text CONSTRAINT destinations_failure CHECK (failure IN ('unreachable', 'missing', 'too_large', 'refused')),
  reason text,
  -- The event that the broker refused, where it is one event's fault.
  refused_event_id uuid,
  CONSTRAINT destinations_failing CHECK (num_nulls(failing_since, failure, reason) IN (0, 3))
);
