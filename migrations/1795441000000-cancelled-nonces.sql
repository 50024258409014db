-- Nonces that the operator has used up by a transaction that moves nothing, so that what waits behind them goes on.
SET LOCAL lock_timeout = '3s';

ALTER TABLE networks.sending_attempts
  -- Whether it uses the nonce up in place of the call.
  ADD COLUMN cancels boolean NOT NULL DEFAULT false;

ALTER TABLE networks.sendings
  DROP CONSTRAINT sendings_state,
  ADD CONSTRAINT sendings_state CHECK (state IN
    ('reserved', 'signed', 'broadcast', 'mined', 'final', 'reverted', 'foreign', 'cancelled')) NOT VALID,
  DROP CONSTRAINT sendings_signed_by_attempts,
  -- Another transaction may use a nonce before anything is signed for it.
  ADD CONSTRAINT sendings_signed_by_attempts CHECK (attempts = 0 AND state = 'foreign'
    OR (state = 'reserved') = (attempts = 0)) NOT VALID,
  DROP CONSTRAINT sendings_mined_whole,
  ADD CONSTRAINT sendings_mined_whole CHECK ((mined_hash IS NULL) = (mined_block IS NULL)
    AND (mined_hash IS NULL) = (mined_succeeded IS NULL)
    AND (mined_hash IS NOT NULL) = (state IN ('mined', 'final', 'reverted', 'cancelled'))) NOT VALID,
  DROP CONSTRAINT sendings_outcome,
  ADD CONSTRAINT sendings_outcome CHECK (state NOT IN ('final', 'reverted', 'cancelled')
    OR mined_succeeded = (state = 'final')) NOT VALID;

CREATE OR REPLACE FUNCTION networks.keep_sending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.network, OLD.sender, OLD.nonce, OLD.recipient, OLD.data, OLD.value, OLD.gas_limit, OLD.fee_ceiling,
      OLD.purpose, OLD.key, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.network, NEW.sender, NEW.nonce, NEW.recipient, NEW.data, NEW.value, NEW.gas_limit,
      NEW.fee_ceiling, NEW.purpose, NEW.key, NEW.created_at)
    OR OLD.state IN ('final', 'reverted', 'foreign', 'cancelled') OR NEW.attempts < OLD.attempts THEN
    RAISE EXCEPTION 'the call of a sending never changes, and a finished sending stays as it is';
  END IF;
  -- Whoever does not know of attempts that cancel, as an older release, must not take one for the call.
  IF NEW.state IN ('final', 'reverted', 'cancelled') AND (NEW.state = 'cancelled') <> COALESCE((SELECT cancels
      FROM networks.sending_attempts WHERE sending_id = NEW.id AND hash = NEW.mined_hash), false) THEN
    RAISE EXCEPTION 'a sending is cancelled exactly where the attempt that was mined is one that cancels';
  END IF;
  -- An older release forgets a receipt without knowing of its cost.
  IF NEW.mined_hash IS NULL THEN NEW.gas_cost := NULL; END IF;
  RETURN NEW;
END $$;

ALTER TABLE settlement.batches
  DROP CONSTRAINT batches_state,
  ADD CONSTRAINT batches_state CHECK (state IN
    ('chosen', 'sent', 'delivered', 'final', 'reverted', 'foreign', 'abandoned', 'cancelled')) NOT VALID;

CREATE OR REPLACE FUNCTION settlement.keep_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.network, OLD.sender, OLD.recipient, OLD.data, OLD.gas_limit, OLD.payout_count, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.network, NEW.sender, NEW.recipient, NEW.data, NEW.gas_limit, NEW.payout_count, NEW.created_at)
    OR OLD.state IN ('final', 'reverted', 'foreign', 'abandoned', 'cancelled') THEN
    RAISE EXCEPTION 'the call of a batch never changes, and a batch that has ended stays as it is';
  END IF;
  RETURN NEW;
END $$;

ALTER TABLE settlement.refund_float_payouts
  -- Since when every process that came to it lacked the float's key; null where one had it, or none has come.
  ADD COLUMN keyless_since timestamptz;
