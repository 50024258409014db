SET LOCAL lock_timeout = '3s';

-- `accepted`: the payment request ended underpaid, and the merchant accepted it as paid afterwards.
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
    RAISE EXCEPTION 'a payment request of a charge keeps its charge and owner, and after its end it can only be accepted';
  END IF;
  RETURN NEW;
END $$;
