-- What working rows are found by once their age is over, and how old deliveries of webhooks leave.
SET LOCAL lock_timeout = '3s';

ALTER TABLE webhooks.webhooks
  -- Of the deliveries that were pruned, the time of the newest event: later events still have theirs. Null before the first.
  ADD COLUMN deliveries_pruned_until timestamptz;

-- An attempt never changes. It leaves with its delivery, and neither within a week: by mistake or by order, what a merchant
-- asks about stays.
CREATE FUNCTION webhooks.keep_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.created_at < platform.now() - interval '7 days' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'webhooks.delivery_attempts is append-only, and pruned after 7 days at the earliest';
END $$;
DROP TRIGGER delivery_attempts_append_only ON webhooks.delivery_attempts;
DROP TRIGGER delivery_attempts_never_truncated ON webhooks.delivery_attempts;
CREATE TRIGGER delivery_attempts_kept BEFORE UPDATE OR DELETE ON webhooks.delivery_attempts
  FOR EACH ROW EXECUTE FUNCTION webhooks.keep_attempt();
CREATE TRIGGER delivery_attempts_never_emptied BEFORE TRUNCATE ON webhooks.delivery_attempts
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

CREATE FUNCTION webhooks.count_pruned_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In the order of accounts, as attempts are counted.
  PERFORM FROM webhooks.attempt_totals WHERE account_id IN (SELECT account_id FROM removed)
    ORDER BY account_id FOR NO KEY UPDATE;
  UPDATE webhooks.attempt_totals t SET attempts = t.attempts - r.attempts
  FROM (SELECT account_id, count(*) AS attempts FROM removed GROUP BY account_id) r WHERE t.account_id = r.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER delivery_attempts_uncounted AFTER DELETE ON webhooks.delivery_attempts
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION webhooks.count_pruned_attempts();

CREATE INDEX invitations_by_expiry ON identity.invitations (expires_at);
CREATE INDEX password_resets_by_expiry ON identity.password_resets (expires_at);
-- By which a session of a link is found whose request is over or goes.
CREATE INDEX payment_link_sessions_of_request ON payments.payment_link_sessions (payment_request_id);
CREATE INDEX balance_looks_compared ON payments.balance_looks (compared_at) WHERE asked_at IS NULL;

-- Attempts that ended their delivery, in the order in which they are pruned. Some 2 s for a million.
CREATE INDEX delivery_attempts_ended ON webhooks.delivery_attempts (created_at, id) WHERE status <> 'pending';
