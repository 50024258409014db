-- Refunds that a merchant's own wallet pays. The chain alone shows what became of them.
SET LOCAL lock_timeout = '3s';

ALTER TABLE settlement.refunds
  -- `merchant`: by the transaction that is named from its beginning, and never another one.
  ADD COLUMN paid_by text NOT NULL DEFAULT 'float',
  -- When the chain was last asked about that transaction.
  ADD COLUMN followed_at timestamptz,
  DROP CONSTRAINT refunds_to_spelling,
  DROP CONSTRAINT refunds_approved_whole,
  ADD CONSTRAINT refunds_paid_by CHECK (paid_by = 'float'
    OR paid_by = 'merchant' AND num_nulls(transaction_hash, to_address) = 0 AND claim_digest IS NULL) NOT VALID,
  -- Other families have addresses with capitals.
  ADD CONSTRAINT refunds_to_spelled CHECK (to_address !~ '^0x' OR to_address = lower(to_address)) NOT VALID,
  ADD CONSTRAINT refunds_approved_whole CHECK (
    CASE paid_by WHEN 'merchant' THEN num_nulls(approved_at, approved_by) = 0 AND float_address IS NULL
      ELSE num_nulls(approved_at, approved_by, float_address) IN (0, 3) END
    AND (approved_at IS NULL OR to_address IS NOT NULL)) NOT VALID;

CREATE FUNCTION settlement.keep_refund_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a refund keeps who pays it, and one that its merchant pays its transaction';
END $$;
CREATE TRIGGER refunds_payer_kept BEFORE UPDATE ON settlement.refunds FOR EACH ROW
  WHEN (OLD.paid_by <> NEW.paid_by
    OR OLD.paid_by = 'merchant' AND OLD.transaction_hash IS DISTINCT FROM NEW.transaction_hash)
  EXECUTE FUNCTION settlement.keep_refund_payer();
