SET LOCAL lock_timeout = '3s';

-- Requests that were payable in a network's own coin and may be open. Each turn of the watcher compares the balances of some of
-- them, in the order of their ids, and removes those that have ended.
CREATE TABLE payments.balance_watch (
  network text NOT NULL,
  -- No foreign key: a request that has ended may be pruned before its row is removed.
  payment_request_id uuid NOT NULL,
  PRIMARY KEY (network, payment_request_id)
);

-- The last request that was compared in a round that has not come to its end, and the time of the block at which the round began.
-- Null: the next turn begins a round.
ALTER TABLE payments.chain_cursors
  ADD COLUMN balance_round_to uuid,
  ADD COLUMN balance_round_began_at timestamptz,
  ADD CONSTRAINT chain_cursors_balance_round_complete
    CHECK (num_nonnulls(balance_round_to, balance_round_began_at) IN (0, 2));

-- Triggers, so that no writer leaves a request out, one of the release before neither. A network's own coin has its symbol as token.
-- The argument is the column with the id of the request. The function has its owner's rights: while a migration is being granted,
-- the service's role has none to the new table yet.
CREATE FUNCTION payments.watch_balance() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  INSERT INTO payments.balance_watch (network, payment_request_id)
  VALUES (NEW.network, (to_jsonb(NEW) ->> TG_ARGV[0])::uuid) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER payment_requests_watched AFTER INSERT ON payments.payment_requests FOR EACH ROW
  WHEN (NEW.unique_asset_id = 'n' || NEW.network || '_t' || NEW.currency) EXECUTE FUNCTION payments.watch_balance('id');
CREATE TRIGGER selections_watched AFTER INSERT ON payments.selections FOR EACH ROW
  WHEN (NEW.unique_asset_id = 'n' || NEW.network || '_t' || NEW.currency)
  EXECUTE FUNCTION payments.watch_balance('payment_request_id');
