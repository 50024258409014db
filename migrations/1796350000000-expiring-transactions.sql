-- Outbound transactions of chains whose addresses and hashes are spelled otherwise, and whose transactions expire: such
-- a transaction can be cancelled without a block that includes a cancelling attempt.
SET LOCAL lock_timeout = '3s';

ALTER TABLE networks.sendings
  DROP CONSTRAINT sendings_sender_spelling,
  DROP CONSTRAINT sendings_recipient_spelling,
  DROP CONSTRAINT sendings_used_by,
  DROP CONSTRAINT sendings_signed_by_attempts,
  DROP CONSTRAINT sendings_mined_whole,
  ADD CONSTRAINT sendings_sender_spelling
    CHECK (sender ~ '^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{34})$') NOT VALID,
  ADD CONSTRAINT sendings_recipient_spelling
    CHECK (recipient ~ '^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{34})$') NOT VALID,
  ADD CONSTRAINT sendings_used_by CHECK (used_by ~ '^(0x)?[0-9a-f]{64}$') NOT VALID,
  ADD CONSTRAINT sendings_signed_by_attempts CHECK (attempts = 0 AND state IN ('foreign', 'cancelled')
    OR (state = 'reserved') = (attempts = 0)) NOT VALID,
  ADD CONSTRAINT sendings_mined_whole CHECK ((mined_hash IS NULL) = (mined_block IS NULL)
    AND (mined_hash IS NULL) = (mined_succeeded IS NULL)
    AND (mined_hash IS NOT NULL AND state IN ('mined', 'final', 'reverted', 'cancelled')
      OR mined_hash IS NULL AND state NOT IN ('mined', 'final', 'reverted'))) NOT VALID;
ALTER TABLE networks.sending_attempts
  DROP CONSTRAINT sending_attempts_hash_spelling,
  ADD CONSTRAINT sending_attempts_hash_spelling CHECK (hash ~ '^(0x)?[0-9a-f]{64}$') NOT VALID;

-- Only hexadecimal addresses can be spelled in lower case.
ALTER TABLE settlement.failing_terms
  DROP CONSTRAINT failing_terms_lower_case,
  ADD CONSTRAINT failing_terms_spelled
    CHECK (settlement_address !~ '^0x' OR settlement_address = lower(settlement_address)) NOT VALID;
ALTER TABLE settlement.refund_floats
  DROP CONSTRAINT refund_floats_address_spelling,
  ADD CONSTRAINT refund_floats_address_spelled CHECK (address !~ '^0x' OR address = lower(address)) NOT VALID;
ALTER TABLE settlement.refund_float_payouts
  DROP CONSTRAINT refund_float_payouts_to_spelling,
  ADD CONSTRAINT refund_float_payouts_to_spelled
    CHECK (to_address !~ '^0x' OR to_address = lower(to_address)) NOT VALID;

CREATE OR REPLACE FUNCTION networks.keep_sending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.network, OLD.sender, OLD.nonce, OLD.recipient, OLD.data, OLD.value, OLD.gas_limit, OLD.fee_ceiling,
      OLD.purpose, OLD.key, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.network, NEW.sender, NEW.nonce, NEW.recipient, NEW.data, NEW.value, NEW.gas_limit,
      NEW.fee_ceiling, NEW.purpose, NEW.key, NEW.created_at)
    OR OLD.state IN ('final', 'reverted', 'foreign', 'cancelled') OR NEW.attempts < OLD.attempts THEN
    RAISE EXCEPTION 'the call of a sending never changes, and a finished sending stays as it is';
  END IF;
  -- An attempt that cancels must never be taken for the call.
  IF NEW.state IN ('final', 'reverted', 'cancelled') AND NEW.mined_hash IS NOT NULL
    AND (NEW.state = 'cancelled') <> COALESCE((SELECT cancels
      FROM networks.sending_attempts WHERE sending_id = NEW.id AND hash = NEW.mined_hash), false) THEN
    RAISE EXCEPTION 'a sending is cancelled exactly where the attempt that was mined is one that cancels';
  END IF;
  RETURN NEW;
END $$;
