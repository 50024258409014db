-- Validation reads the whole table, so it stands apart from what locks the table. Writers continue meanwhile.
SET LOCAL lock_timeout = '3s';

ALTER TABLE payments.transfers VALIDATE CONSTRAINT transfers_kind;
ALTER TABLE payments.transfers VALIDATE CONSTRAINT transfers_in_a_block_or_pending;
ALTER TABLE payments.transfers VALIDATE CONSTRAINT transfers_pending_were_seen;
ALTER TABLE payments.transfers VALIDATE CONSTRAINT transfers_seen_lapse;
