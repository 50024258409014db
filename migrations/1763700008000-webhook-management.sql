SET LOCAL lock_timeout = '3s';

ALTER TABLE webhooks.webhooks
  ADD COLUMN deleted_at timestamptz,
  -- When the first attempt began that was not acknowledged, of those since the last that was; null while all is well.
  ADD COLUMN failing_since timestamptz,
  -- Signs beside the present secret until that time, or until the merchant ends it.
  ADD COLUMN previous_secret_key_id text,
  ADD COLUMN previous_sealed_secret bytea,
  ADD COLUMN previous_secret_until timestamptz,
  -- Since it was deactivated or deleted, what waited for it has not all been ended yet.
  ADD COLUMN ending boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT webhooks_deleted_are_inactive CHECK (deleted_at IS NULL OR NOT active),
  ADD CONSTRAINT webhooks_previous_secret_is_whole
    CHECK (num_nulls(previous_secret_key_id, previous_sealed_secret, previous_secret_until) IN (0, 3));
-- From now on it means days of nothing but failures, not that the newest attempt failed.
UPDATE webhooks.webhooks SET failing = false WHERE failing;
CREATE INDEX webhooks_of_account ON webhooks.webhooks (account_id, id) WHERE deleted_at IS NULL;
CREATE INDEX webhooks_ending ON webhooks.webhooks (id) WHERE ending;

ALTER TABLE webhooks.deliveries
  -- A test tells of no event.
  ALTER COLUMN event_id DROP NOT NULL,
  -- Attempts made before it was queued last: a delivery that is sent again begins its schedule anew, not its log.
  ADD COLUMN attempts_before integer NOT NULL DEFAULT 0,
  -- The delivery before it in a replay. It is queued when that one ends.
  ADD COLUMN waits_for uuid,
  -- Null where an earlier release queued it before this. A webhook that was activated since does not want it any more.
  ADD COLUMN queued_in xid8,
  -- The table may be large: what is there already is checked by the next migration, while others write.
  ADD CONSTRAINT deliveries_attempts_before_counts CHECK (attempts_before >= 0) NOT VALID,
  ADD CONSTRAINT deliveries_wait_for_deliveries
    FOREIGN KEY (waits_for) REFERENCES webhooks.deliveries (id) NOT VALID,
  ADD CONSTRAINT deliveries_only_pending_ones_wait CHECK (waits_for IS NULL OR status = 'pending') NOT VALID;
ALTER TABLE webhooks.deliveries ALTER COLUMN queued_in SET DEFAULT pg_current_xact_id();

-- A claim changes no indexed column: with room beside it, the row's new version costs no index entry.
ALTER TABLE platform.due_work SET (fillfactor = 50);

-- What merchants are told, whether or not a webhook hears of it, in the bytes that are sent.
CREATE TABLE webhooks.events (
  -- Only the subscriber writes, one batch after the other, so whoever has seen a number has seen all smaller ones.
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Of the event in platform.events.
  id uuid NOT NULL UNIQUE,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  event_type text NOT NULL CHECK (event_type IN ('payment_request', 'incoming_transfer', 'refund')),
  payment_request_id uuid NOT NULL,
  -- Canonical JSON; text, because jsonb would spell it anew.
  body text NOT NULL,
  occurred_at timestamptz NOT NULL
);
CREATE INDEX events_of_organization ON webhooks.events (organization_id, number);
CREATE INDEX events_of_account ON webhooks.events (account_id, number);
-- For replays of a range.
CREATE INDEX events_of_account_by_time ON webhooks.events (account_id, occurred_at);
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE ON webhooks.events
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER events_never_truncated BEFORE TRUNCATE ON webhooks.events
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
