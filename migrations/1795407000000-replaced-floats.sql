-- A refund float whose key is replaced: another one takes its place, and its own books stay.
SET LOCAL lock_timeout = '3s';

ALTER TABLE settlement.refund_floats
  -- Nothing is promised from it any more; what comes to it is still noticed. Null: the organization's present float.
  ADD COLUMN replaced_at timestamptz,
  DROP CONSTRAINT refund_floats_once;
CREATE UNIQUE INDEX refund_floats_once ON settlement.refund_floats (organization_id, network) WHERE replaced_at IS NULL;

CREATE OR REPLACE FUNCTION settlement.keep_refund_float() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.organization_id, OLD.account_id, OLD.network) IS DISTINCT FROM
      (NEW.id, NEW.organization_id, NEW.account_id, NEW.network)
    OR OLD.address IS NOT NULL AND OLD.address IS DISTINCT FROM NEW.address
    OR OLD.replaced_at IS NOT NULL AND OLD.replaced_at IS DISTINCT FROM NEW.replaced_at THEN
    RAISE EXCEPTION 'a refund float keeps its address, and a replaced one stays replaced';
  END IF;
  RETURN NEW;
END $$;
