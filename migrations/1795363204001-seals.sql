SET LOCAL lock_timeout = '3s';

-- A chain of digests over the event log in reading order: seal n is over seal n - 1 and the events after it, up to
-- (transaction_id, position). What of the log is changed later no longer fits its seal.
CREATE TABLE platform.seals (
  number bigint PRIMARY KEY CHECK (number >= 0),
  transaction_id xid8 NOT NULL,
  position bigint NOT NULL,
  -- How many events it is over.
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
