-- What reads the whole table, apart from what locks it: writers go on meanwhile.
ALTER TABLE payments.payment_requests VALIDATE CONSTRAINT payment_requests_selection_is_whole;
ALTER TABLE payments.payment_requests VALIDATE CONSTRAINT payment_requests_pending_until_selected;

-- What expires by the clock alone: no network is read for it.
CREATE INDEX payment_requests_pending ON payments.payment_requests (expires_at) WHERE status = 'pending';
