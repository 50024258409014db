-- What lets a process notice that the database lost what it had acknowledged: docs/failover.md.

-- Each process writes its mark about once a second. A mark that is behind what its process saw acknowledged was lost, with all
-- that was committed after it. Marks of ended processes are removed after some days.
CREATE TABLE platform.acknowledged_marks (
  process uuid PRIMARY KEY,
  mark bigint NOT NULL CHECK (mark > 0),
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Losses that processes have found. While one is not recovered, no process writes anything else: `operator recover` ends it.
CREATE TABLE platform.losses (
  id uuid PRIMARY KEY,
  found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Role and id of the process.
  found_by text NOT NULL,
  -- The server that lost it, as it is from now on.
  system_identifier text NOT NULL,
  timeline bigint NOT NULL,
  reason text NOT NULL,
  -- Rows that the process had committed or seen, and which are not there: table and id.
  missing jsonb NOT NULL,
  -- What the process had sent out last: deliveries of webhooks, transactions.
  sent jsonb NOT NULL,
  recovered_at timestamptz,
  recovered_by text,
  CONSTRAINT losses_recovered CHECK ((recovered_at IS NULL) = (recovered_by IS NULL))
);
CREATE INDEX losses_open ON platform.losses (found_at) WHERE recovered_at IS NULL;
CREATE TRIGGER losses_never_deleted BEFORE DELETE ON platform.losses
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER losses_never_emptied BEFORE TRUNCATE ON platform.losses
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
