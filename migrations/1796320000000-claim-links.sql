-- The claim link of a refund can be replaced until the payer has entered an address.
CREATE OR REPLACE FUNCTION settlement.keep_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.organization_id, OLD.account_id, OLD.payment_request_id, OLD.unique_asset_id, OLD.amount, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.organization_id, NEW.account_id, NEW.payment_request_id, NEW.unique_asset_id, NEW.amount,
      NEW.created_at)
    OR (OLD.claim_digest, OLD.claim_expires_at) IS DISTINCT FROM (NEW.claim_digest, NEW.claim_expires_at)
      AND (OLD.claim_digest IS NULL OR NEW.claim_digest IS NULL OR NEW.to_address IS NOT NULL OR NEW.status <> 'pending')
    OR OLD.to_address IS NOT NULL AND OLD.to_address IS DISTINCT FROM NEW.to_address
    OR OLD.status IN ('completed', 'failed')
    OR OLD.status = 'processing' AND NEW.status = 'pending' THEN
    RAISE EXCEPTION 'a refund keeps its amount and its address, and a finished one stays as it is';
  END IF;
  RETURN NEW;
END $$;
