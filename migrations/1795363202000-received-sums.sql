-- What was sent in time to each selection of a payment request, kept beside its transfers so that no turn of a watcher
-- adds them up again: anyone can send any number of transfers to an address.

-- Wider than one amount, so that no number of transfers makes a sum fail.
CREATE DOMAIN payments.sum AS numeric(96, 0) CHECK (VALUE >= 0 AND VALUE <> 'NaN');

CREATE TABLE payments.received_sums (
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  unique_asset_id text NOT NULL,
  network text NOT NULL,
  -- Of the counted transfers, final or not.
  seen_amount payments.sum NOT NULL,
  -- Of those in blocks up to final_to, all of which are final.
  final_amount payments.sum NOT NULL,
  -- -1: no block yet.
  final_to bigint NOT NULL CHECK (final_to >= -1),
  PRIMARY KEY (payment_request_id, unique_asset_id),
  CONSTRAINT received_sums_final_was_seen CHECK (final_amount <= seen_amount)
);

ALTER TABLE payments.payment_requests
  ALTER COLUMN received_amount TYPE payments.sum,
  -- The block that decided the outcome: counted transfers in later blocks are no part of it. Null: all of them are part.
  ADD COLUMN outcome_block bigint,
  -- The version with which the sums were stored last. A lower one than the row's: a process that does not know of sums has
  -- changed the request, so they are added up from the transfers again.
  ADD COLUMN sums_at_version integer NOT NULL DEFAULT 1,
  -- The request has ended, and transfers are still marked as counted that are no part of its outcome.
  ADD COLUMN uncounting boolean NOT NULL DEFAULT false;
CREATE INDEX payment_requests_uncounting ON payments.payment_requests (id) WHERE uncounting;

-- The least payment of the asset when it was selected: less than this leaves the choice open.
ALTER TABLE payments.selections ADD COLUMN minimum_amount payments.amount NOT NULL DEFAULT 1;

COMMENT ON COLUMN payments.transfers.counted IS
  'Part of the sum of the selection that it pays. Part of the outcome where that is the selected one and the block is not above outcome_block.';

DROP INDEX payments.transfers_counted;
CREATE INDEX transfers_counted ON payments.transfers (payment_request_id, unique_asset_id, block_number) WHERE counted;
-- The lowest block of a request that cannot be added up for good yet.
CREATE INDEX transfers_counted_not_final ON payments.transfers (payment_request_id, network, block_number)
  WHERE counted AND NOT final;
-- The final transfers of a request that are to be posted as deposits, oldest first.
CREATE INDEX transfers_to_post_of_request ON payments.transfers (payment_request_id, block_number)
  WHERE canonical AND final AND NOT counted AND deposited_at IS NULL;
DROP INDEX payments.transfers_not_posted_of_request;
-- What is shown of a request, in the order of blocks.
DROP INDEX payments.transfers_of_request;
CREATE INDEX transfers_of_request ON payments.transfers (payment_request_id, block_number);
CREATE INDEX transfers_posted_of_request ON payments.transfers (payment_request_id, block_number)
  WHERE deposited_at IS NOT NULL OR reversed_at IS NOT NULL;
DROP INDEX payments.transfers_not_final;
CREATE INDEX transfers_not_final ON payments.transfers (network, block_number, id)
  WHERE canonical AND NOT final AND NOT awaits_cross_check;

-- Adds up the transfers of open requests whose sums are missing or were left behind. Requests are locked by the caller.
CREATE FUNCTION payments.add_up_transfers(requests uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Before there were sums, only one selection of a request was counted in; what arrives while a request is parked is
  -- recorded without being counted.
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
    -- Decided by the block in which the sum reaches the amount, so these are added up block by block.
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

SELECT payments.add_up_transfers(ARRAY(
  SELECT id FROM payments.payment_requests WHERE status IN ('created', 'processing') ORDER BY id FOR UPDATE));
