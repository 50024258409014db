-- Validation reads the whole table, so it stands apart from what locks the table. Writers continue meanwhile.
SET LOCAL lock_timeout = '3s';

ALTER TABLE payments.payment_requests VALIDATE CONSTRAINT payment_requests_accepted_if_underpaid;
