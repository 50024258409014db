-- The name of the key that sends, and what the mined attempt cost it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE networks.sendings
  -- Null of older sendings, whose key is found by its address.
  ADD COLUMN key text CONSTRAINT sendings_key CHECK (key <> ''),
  -- Gas and a rollup's data, in the smallest unit of the native coin; null where the receipt said no price.
  ADD COLUMN gas_cost numeric(78) CONSTRAINT sendings_gas_cost_range CHECK (gas_cost >= 0 AND gas_cost < 2::numeric ^ 256);

CREATE OR REPLACE FUNCTION networks.keep_sending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.network, OLD.sender, OLD.nonce, OLD.recipient, OLD.data, OLD.value, OLD.gas_limit, OLD.fee_ceiling,
      OLD.purpose, OLD.key, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.network, NEW.sender, NEW.nonce, NEW.recipient, NEW.data, NEW.value, NEW.gas_limit,
      NEW.fee_ceiling, NEW.purpose, NEW.key, NEW.created_at)
    OR OLD.state IN ('final', 'reverted', 'foreign') OR NEW.attempts < OLD.attempts THEN
    RAISE EXCEPTION 'the call of a sending never changes, and a finished sending stays as it is';
  END IF;
  -- An older release forgets a receipt without knowing of its cost.
  IF NEW.mined_hash IS NULL THEN NEW.gas_cost := NULL; END IF;
  RETURN NEW;
END $$;
