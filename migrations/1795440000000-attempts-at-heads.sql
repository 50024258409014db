-- The newest block of the network when an attempt was signed: how long it waits is counted in blocks.
SET LOCAL lock_timeout = '3s';

ALTER TABLE networks.sending_attempts
  -- Null of older attempts.
  ADD COLUMN head_block bigint CONSTRAINT sending_attempts_head_range CHECK (head_block >= 0);
