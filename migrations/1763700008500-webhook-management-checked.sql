SET LOCAL lock_timeout = '3s';

-- What reads whole tables, apart from what locks everybody out. Nothing is written to a table while it is read here.
ALTER TABLE webhooks.deliveries
  VALIDATE CONSTRAINT deliveries_attempts_before_counts,
  VALIDATE CONSTRAINT deliveries_wait_for_deliveries,
  VALIDATE CONSTRAINT deliveries_only_pending_ones_wait;

-- Only replays wait, so it is empty most of the time.
CREATE INDEX deliveries_waiting_for ON webhooks.deliveries (waits_for) WHERE waits_for IS NOT NULL;

CREATE INDEX delivery_attempts_log ON webhooks.delivery_attempts (account_id, created_at DESC, id DESC);

-- How long each account's log is. Kept by a trigger, so that workers of an earlier release count too.
CREATE TABLE webhooks.attempt_totals (
  account_id uuid PRIMARY KEY,
  attempts bigint NOT NULL CHECK (attempts >= 0)
);
CREATE FUNCTION webhooks.count_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In the order of accounts, because two workers may record attempts of the same accounts at once.
  INSERT INTO webhooks.attempt_totals AS t (account_id, attempts)
  SELECT account_id, count(*) FROM added GROUP BY account_id ORDER BY account_id
  ON CONFLICT (account_id) DO UPDATE SET attempts = t.attempts + excluded.attempts;
  RETURN NULL;
END $$;
CREATE TRIGGER delivery_attempts_counted AFTER INSERT ON webhooks.delivery_attempts
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION webhooks.count_attempts();
INSERT INTO webhooks.attempt_totals SELECT account_id, count(*) FROM webhooks.delivery_attempts GROUP BY account_id;
