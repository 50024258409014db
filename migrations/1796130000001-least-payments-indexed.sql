-- Building an index reads the whole table, so these stand apart from what keeps readers waiting. Writers wait meanwhile.
SET LOCAL lock_timeout = '3s';

-- The transfers of a request that reach the minimum of their asset, or are in no block, beside any number of smaller ones.
CREATE INDEX transfers_no_dust ON payments.transfers (payment_request_id, block_number) WHERE gathered_on IS NULL;
-- The transfers in no block that spend an output, whatever else waits for a block. None of an EVM network.
CREATE INDEX transfers_pending_by_evidence ON payments.transfers USING gin (evidence jsonb_path_ops)
  WHERE canonical AND block_number IS NULL;
