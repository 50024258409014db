-- Validation reads the whole table, so it is a separate migration. It blocks no writers.
SET LOCAL lock_timeout = '3s';

ALTER TABLE payments.transfers VALIDATE CONSTRAINT transfers_required_tag;
