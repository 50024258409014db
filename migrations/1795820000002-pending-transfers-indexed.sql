-- Building an index reads the whole table, so these stand apart from what keeps readers waiting. Writers wait meanwhile.
SET LOCAL lock_timeout = '3s';

-- No transfer of an EVM network is in these two.
CREATE INDEX transfers_seen ON payments.transfers (network, transaction_hash) WHERE seen_at IS NOT NULL;
CREATE INDEX transfers_pending ON payments.transfers (network, lapses_at, id) WHERE canonical AND block_number IS NULL;
-- Few transfers are not final. Processes of the release before still use transfers_not_final.
CREATE INDEX transfers_not_final_by_depth ON payments.transfers (network, (block_number + extra_confirmations), id)
  WHERE canonical AND NOT final AND NOT awaits_cross_check;
