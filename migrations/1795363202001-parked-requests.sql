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

-- As before, and of requests without a choice too: what arrived while one was parked is recorded without being counted.
CREATE OR REPLACE FUNCTION payments.add_up_transfers(requests uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH asked AS (
    SELECT r.id, s.network, s.unique_asset_id, s.address, s.tag,
      r.expires_at + make_interval(secs => s.inclusion_grace_seconds) AS until
    FROM payments.payment_requests r JOIN payments.selections s ON s.payment_request_id = r.id
    WHERE r.id = ANY(requests) AND r.status IN ('created', 'processing')
    UNION ALL
    SELECT r.id, r.network, r.unique_asset_id, a.address, a.tag, r.counts_until
    FROM payments.payment_requests r JOIN payments.deposit_addresses a ON a.payment_request_id = r.id
    WHERE r.id = ANY(requests) AND r.status IN ('created', 'processing') AND a.network = r.network
      AND NOT EXISTS (SELECT FROM payments.checkouts c WHERE c.payment_request_id = r.id)
  )
  UPDATE payments.transfers t SET counted = true
  FROM asked
  WHERE t.payment_request_id = asked.id
    AND (t.network, t.unique_asset_id, t.to_address, t.to_tag)
      = (asked.network, asked.unique_asset_id, asked.address, asked.tag)
    AND t.canonical AND NOT t.counted AND t.deposited_at IS NULL AND t.block_time <= asked.until;

  DELETE FROM payments.received_sums WHERE payment_request_id = ANY(requests);
  WITH open AS (
    SELECT id FROM payments.payment_requests WHERE id = ANY(requests) AND status IN ('created', 'processing')
  ), bound AS (
    SELECT t.payment_request_id, t.network, min(t.block_number) AS first
    FROM payments.transfers t JOIN open ON open.id = t.payment_request_id
    WHERE t.counted AND NOT t.final GROUP BY 1, 2
  ), added AS (
    SELECT t.payment_request_id, t.unique_asset_id, t.network, sum(t.amount) AS seen,
      COALESCE(sum(t.amount) FILTER (WHERE t.final AND t.block_number < COALESCE(b.first, t.block_number + 1)), 0) AS final,
      COALESCE(b.first - 1, max(t.block_number)) AS final_to
    FROM payments.transfers t JOIN open ON open.id = t.payment_request_id
    LEFT JOIN bound b ON b.payment_request_id = t.payment_request_id AND b.network = t.network
    WHERE t.counted GROUP BY 1, 2, 3, b.first
  ), paid AS (
    SELECT a.payment_request_id FROM added a JOIN payments.payment_requests r ON r.id = a.payment_request_id
    LEFT JOIN payments.selections s
      ON s.payment_request_id = a.payment_request_id AND s.unique_asset_id = a.unique_asset_id
    WHERE a.final >= COALESCE(s.amount, r.amount)
  )
  INSERT INTO payments.received_sums (payment_request_id, unique_asset_id, network, seen_amount, final_amount, final_to)
  SELECT payment_request_id, unique_asset_id, network, seen,
    CASE WHEN payment_request_id IN (SELECT * FROM paid) THEN 0 ELSE final END,
    CASE WHEN payment_request_id IN (SELECT * FROM paid) THEN -1 ELSE GREATEST(final_to, -1) END
  FROM added;

  UPDATE payments.payment_requests SET sums_at_version = version WHERE id = ANY(requests);
END $$;

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
