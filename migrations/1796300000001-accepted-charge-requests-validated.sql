-- Validation reads the whole table, so it is a separate migration. It blocks no writers.
SET LOCAL lock_timeout = '3s';

ALTER TABLE subscriptions.charge_requests VALIDATE CONSTRAINT charge_requests_status;
