-- Beside writers: the constraints hold for every new row already.
SET LOCAL lock_timeout = '3s';

ALTER TABLE networks.sendings
  VALIDATE CONSTRAINT sendings_state,
  VALIDATE CONSTRAINT sendings_signed_by_attempts,
  VALIDATE CONSTRAINT sendings_mined_whole,
  VALIDATE CONSTRAINT sendings_outcome;
ALTER TABLE settlement.batches
  VALIDATE CONSTRAINT batches_state;
