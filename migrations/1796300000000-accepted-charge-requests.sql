SET LOCAL lock_timeout = '3s';

-- A payment request of a charge that ended underpaid and that the merchant accepted as paid afterwards.
ALTER TABLE subscriptions.charge_requests
  DROP CONSTRAINT charge_requests_status,
  ADD CONSTRAINT charge_requests_status
    CHECK (status IN ('planned', 'open', 'paid', 'unpaid', 'cut_short', 'accepted', 'dropped')) NOT VALID;

CREATE OR REPLACE FUNCTION subscriptions.keep_charge_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.payment_request_id, OLD.charge_id, OLD.subscription_id, OLD.organization_id, OLD.account_id, OLD.attempt, OLD.planned_at)
    IS DISTINCT FROM (NEW.payment_request_id, NEW.charge_id, NEW.subscription_id, NEW.organization_id, NEW.account_id,
      NEW.attempt, NEW.planned_at)
    OR OLD.status IN ('paid', 'accepted') AND NEW.status <> OLD.status
    OR OLD.status IN ('unpaid', 'cut_short') AND NEW.status NOT IN (OLD.status, 'accepted')
    OR OLD.status = 'open' AND NEW.status IN ('planned', 'dropped') THEN
    RAISE EXCEPTION 'a request of a charge keeps what it is, and an ended one stays as it is, unless the merchant accepts it';
  END IF;
  RETURN NEW;
END $$;
