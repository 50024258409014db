-- Addresses whose native balance the watcher is asked to compare in its next turns, before they are settled.
SET LOCAL lock_timeout = '3s';

CREATE TABLE payments.balance_looks (
  network text NOT NULL,
  address text NOT NULL,
  -- Null once it was compared; whoever asks again sets it.
  asked_at timestamptz,
  -- The last time.
  compared_at timestamptz,
  PRIMARY KEY (network, address),
  CONSTRAINT balance_looks_asked_or_compared CHECK (num_nonnulls(asked_at, compared_at) >= 1)
);
-- Few at any time.
CREATE INDEX balance_looks_to_compare ON payments.balance_looks (network, asked_at, address) WHERE asked_at IS NOT NULL;
