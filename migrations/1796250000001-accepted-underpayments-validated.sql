-- Validation reads the whole table, so it is a separate migration. It blocks no writers.
SET LOCAL lock_timeout = '3s';

ALTER TABLE payments.payment_requests VALIDATE CONSTRAINT payment_requests_accepted_if_underpaid;
