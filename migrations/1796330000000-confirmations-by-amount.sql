-- Payments may be final before their block is final for the chain, by a network's confirmations by amount.
SET LOCAL lock_timeout = '3s';

ALTER TABLE payments.chain_cursors
  -- Newest confirmed blocks with these tags; null until one is known. Not above final_number, except while a process of an
  -- earlier release moves the cursor back.
  ADD COLUMN safe_number bigint,
  ADD COLUMN finalized_number bigint;
UPDATE payments.chain_cursors SET safe_number = final_number, finalized_number = final_number;

-- The transfer is final only once its block has the tag. Null: its number of confirmations decides. On a network without a
-- table, all confirmed blocks are finalized. The default also holds for rows that a process of an earlier release writes.
ALTER TABLE payments.transfers ADD COLUMN required_tag text DEFAULT 'finalized';
ALTER TABLE payments.transfers
  ADD CONSTRAINT transfers_required_tag CHECK (required_tag IN ('safe', 'finalized')) NOT VALID;

-- Posted transfers whose block a reorganization may still remove. Settlement waits for them.
CREATE VIEW payments.public_transfers_before_finality AS
  SELECT t.network, t.to_address AS address, t.to_tag AS tag, t.payment_request_id
  FROM payments.chain_cursors c JOIN payments.transfers t USING (network)
  WHERE (c.finalized_number >= c.final_number) IS NOT TRUE AND t.canonical AND t.final
    AND (t.counted OR t.deposited_at IS NOT NULL) AND t.block_number > COALESCE(c.finalized_number, -1);
