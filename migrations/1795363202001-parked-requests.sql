-- Payment requests that could not be judged: each waits alone, and every other request of its network goes on.
CREATE TABLE payments.parked_requests (
  payment_request_id uuid PRIMARY KEY REFERENCES payments.payment_requests (id),
  reason text NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT platform.now(),
  -- An operator wants it to be judged again.
  retry boolean NOT NULL DEFAULT false,
  -- Counted transfers that disappeared from the chain while it was parked.
  lost_transfers uuid[] NOT NULL DEFAULT '{}'
);
CREATE INDEX parked_requests_to_retry ON payments.parked_requests (payment_request_id) WHERE retry;

-- Sums of transfers are posted as one amount, and may be more than one transfer can carry.
ALTER TABLE ledger.transactions
  ALTER COLUMN gross_amount TYPE numeric(96, 0),
  ALTER COLUMN net_amount TYPE numeric(96, 0),
  ALTER COLUMN expected_amount TYPE numeric(96, 0),
  DROP CONSTRAINT transactions_amounts_in_range,
  ADD CONSTRAINT transactions_amounts_in_range CHECK (
    abs(gross_amount) < 1e95 AND abs(net_amount) <= abs(gross_amount)
    AND abs(expected_amount) < 115792089237316195423570985008687907853269984665640564039457584007913129639936);
ALTER TABLE ledger.entries
  ALTER COLUMN amount TYPE numeric(96, 0),
  DROP CONSTRAINT entries_amount_check,
  ADD CONSTRAINT entries_amount_check CHECK (amount <> 0 AND abs(amount) < 1e95);
