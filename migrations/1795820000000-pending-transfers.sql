-- Transfers that a node holds and that are in no block yet, and how deep a transfer must be by its amount.
SET LOCAL lock_timeout = '3s';

ALTER TABLE payments.transfers
  -- All three are null while it is in no block.
  ALTER COLUMN block_number DROP NOT NULL,
  ALTER COLUMN block_hash DROP NOT NULL,
  ALTER COLUMN block_time DROP NOT NULL,
  -- The time by which it is in time or late. Null: its block's time.
  ADD COLUMN arrived_at timestamptz,
  -- The time when it was first seen, in no block or else in one. It stays when the transfer is mined, and in a reorganisation.
  ADD COLUMN seen_at timestamptz,
  -- In a block that is stamped no later, it has arrived when it was first seen.
  ADD COLUMN lapses_at timestamptz,
  -- Since when no endpoint holds it, while it is in no block.
  ADD COLUMN missing_since timestamptz,
  -- Only the family of its network reads it, to find what cannot be mined beside it.
  ADD COLUMN evidence jsonb,
  -- Blocks that it must be deep beyond the finality of its network.
  ADD COLUMN extra_confirmations smallint NOT NULL DEFAULT 0;

ALTER TABLE payments.transfers DROP CONSTRAINT transfers_kind_check;
ALTER TABLE payments.transfers
  -- output: an output of a transaction.
  ADD CONSTRAINT transfers_kind CHECK (kind IN ('log', 'call', 'balance', 'output')) NOT VALID,
  ADD CONSTRAINT transfers_in_a_block_or_pending
    CHECK (num_nulls(block_number, block_hash, block_time) IN (0, 3)) NOT VALID,
  ADD CONSTRAINT transfers_pending_were_seen
    CHECK (block_number IS NOT NULL OR (num_nulls(seen_at, lapses_at, evidence) = 0 AND NOT final)) NOT VALID,
  ADD CONSTRAINT transfers_seen_lapse
    CHECK (num_nulls(seen_at, lapses_at, arrived_at) IN (0, 3) AND (lapses_at >= seen_at) IS NOT FALSE) NOT VALID;

-- The mempools were read whole at that time, and everything in them is known. Null: the network's transfers are not followed
-- before they are in a block.
ALTER TABLE payments.chain_cursors ADD COLUMN pending_read_at timestamptz;

-- As before, but for transfers that arrived at another time than that of their block.
CREATE OR REPLACE FUNCTION payments.add_up_transfers(requests uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- What arrived while a request was parked was recorded without being counted.
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
    AND t.canonical AND NOT t.counted AND t.deposited_at IS NULL AND COALESCE(t.arrived_at, t.block_time) <= asked.until;

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
    -- The block in which the sum reaches the amount decides these, so they are added up block by block.
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
