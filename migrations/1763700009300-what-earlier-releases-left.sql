-- As before: rather fail, and be run again, than keep everybody waiting.
SET LOCAL lock_timeout = '3s';

-- A worker of an earlier release that starts only now gives its subscribers new positions, at the beginning of the log,
-- and would apply all of it once more beside those that took their place. Without a position it applies nothing.
CREATE FUNCTION platform.refuse_retired_subscriber() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER subscriber_positions_not_of_retired BEFORE INSERT ON platform.subscriber_positions
  FOR EACH ROW WHEN (NEW.subscriber IN ('ledger', 'webhook_events'))
  EXECUTE FUNCTION platform.refuse_retired_subscriber();

-- Requests that an earlier release failed kept what had arrived as received, which was then posted never. It counts for
-- nothing, so that the next look at final money books it as deposits. Reads all requests once; few were ever failed.
WITH failed AS (
  UPDATE payments.payment_requests SET received_amount = 0, version = version + 1
  WHERE status = 'failed' AND received_amount > 0 RETURNING id)
UPDATE payments.transfers t SET counted = false FROM failed f WHERE t.payment_request_id = f.id AND t.counted;

-- Reads the whole table; writers go on meanwhile.
ALTER TABLE webhooks.events VALIDATE CONSTRAINT events_of_known_types;

-- Writers wait while this is built, for one reading of the table; so it comes last. What stands in it is little: money
-- that does not count, from when it is final until its request has ended.
CREATE INDEX transfers_to_book ON payments.transfers (network, payment_request_id)
  WHERE canonical AND final AND NOT counted AND deposited_at IS NULL;
