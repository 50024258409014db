-- The event log becomes a partitioned table; the table as it stands becomes its first partition. No row is read or written, so
-- the locks are held for milliseconds, however many events there are: a partition without bounds needs no check.
-- The key is transaction_id, which the reading order begins with: whoever reads on from a position leaves earlier partitions
-- alone, and (transaction_id, position) stays unique in the whole log.
CREATE TABLE platform.event_partitions (
  -- The table in this schema.
  name text PRIMARY KEY,
  from_transaction xid8 NOT NULL UNIQUE,
  -- The first transaction id that is not in it; null for the last partition, which takes everything from its beginning on.
  to_transaction xid8 UNIQUE CHECK (to_transaction > from_transaction),
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The file that has its events, and SHA-256 of the file; null before it was archived.
  archive text,
  archive_digest bytea CHECK (length(archive_digest) = 32),
  archived_events bigint,
  archived_at timestamptz,
  -- Null while its events are in the log.
  detached_at timestamptz,
  CONSTRAINT event_partitions_archive_complete
    CHECK (num_nulls(archive, archive_digest, archived_events, archived_at) IN (0, 4)),
  CONSTRAINT event_partitions_detached_once_archived
    CHECK (detached_at IS NULL OR (archive IS NOT NULL AND to_transaction IS NOT NULL))
);
CREATE UNIQUE INDEX event_partitions_one_is_open ON platform.event_partitions ((true)) WHERE to_transaction IS NULL;
INSERT INTO platform.event_partitions (name, from_transaction) VALUES ('events_from_0', '0');

-- A lock that is not granted at once is asked for again: whoever waits for it holds up everybody behind it.
DO $$
BEGIN
  FOR attempt IN 1..20 LOOP
    BEGIN
      SET LOCAL lock_timeout = '500ms';
      LOCK TABLE platform.events, platform.parked_events IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 20 THEN RAISE; END IF;
      PERFORM pg_sleep(0.5);
    END;
  END LOOP;
END $$;
SET LOCAL lock_timeout = '3s';

-- An event's id is unique within a partition. A reference to it would need the transaction id too.
ALTER TABLE platform.parked_events DROP CONSTRAINT parked_events_event_id_fkey;
ALTER TABLE platform.events RENAME TO events_from_0;
ALTER INDEX platform.events_pkey RENAME TO events_from_0_pkey;
ALTER INDEX platform.events_reading_order RENAME TO events_from_0_transaction_id_position_idx;
ALTER INDEX platform.events_of_aggregate RENAME TO events_from_0_aggregate_id_position_idx;
DROP TRIGGER events_append_only ON platform.events_from_0;

-- Positions go on where they were, and so do the rights of the service's role: processes of the release before go on too.
DO $$
DECLARE
  next bigint;
  privilege record;
BEGIN
  SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END INTO next FROM platform.events_position_seq;
  ALTER TABLE platform.events_from_0 ALTER COLUMN position DROP IDENTITY;
  CREATE TABLE platform.events (LIKE platform.events_from_0) PARTITION BY RANGE (transaction_id);
  ALTER TABLE platform.events ALTER COLUMN transaction_id SET DEFAULT pg_current_xact_id();
  EXECUTE format('ALTER TABLE platform.events ALTER COLUMN position ADD GENERATED ALWAYS AS IDENTITY (START WITH %s)', next);
  FOR privilege IN SELECT a.privilege_type, a.grantee::regrole AS role
    FROM pg_class c, aclexplode(c.relacl) a
    WHERE c.oid = 'platform.events_from_0'::regclass AND a.grantee NOT IN (0, c.relowner) LOOP
    EXECUTE format('GRANT %s ON platform.events TO %s', privilege.privilege_type, privilege.role);
    EXECUTE format('REVOKE %s ON platform.events_from_0 FROM %s', privilege.privilege_type, privilege.role);
  END LOOP;
END $$;
CREATE UNIQUE INDEX events_reading_order ON platform.events (transaction_id, position);
CREATE INDEX events_of_aggregate ON platform.events (aggregate_id, position);
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE ON platform.events
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER events_never_truncated BEFORE TRUNCATE ON platform.events
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
ALTER TABLE platform.events ATTACH PARTITION platform.events_from_0 FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
