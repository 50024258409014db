-- Validation reads the whole table, so it stands apart from what locks the table. Writers continue meanwhile.
SET LOCAL lock_timeout = '3s';

ALTER TABLE settlement.refunds VALIDATE CONSTRAINT refunds_paid_by;
ALTER TABLE settlement.refunds VALIDATE CONSTRAINT refunds_to_spelled;
ALTER TABLE settlement.refunds VALIDATE CONSTRAINT refunds_approved_whole;

-- Last, since they keep writers of refunds waiting: both have no entry yet.
-- One transaction pays one refund of an organization to one address. Across organizations it would let one name another’s first.
CREATE UNIQUE INDEX refunds_transaction_once ON settlement.refunds (organization_id, network, transaction_hash, to_address)
  WHERE paid_by = 'merchant' AND status <> 'failed';
CREATE INDEX refunds_followed ON settlement.refunds (network, followed_at NULLS FIRST)
  WHERE paid_by = 'merchant' AND status = 'processing';
