-- As before: rather fail, and be run again, than keep everybody waiting behind a table that every request needs.
SET LOCAL lock_timeout = '3s';

-- What reads the whole table, apart from what locks it: writers go on meanwhile.
ALTER TABLE payments.payment_requests VALIDATE CONSTRAINT payment_requests_selection_is_whole;
ALTER TABLE payments.payment_requests VALIDATE CONSTRAINT payment_requests_pending_until_selected;

-- What expires by the clock alone: no network is read for it. Writers wait while it is built, for one reading of the
-- table, since none is pending yet; so it comes last.
CREATE INDEX payment_requests_pending ON payments.payment_requests (expires_at) WHERE status = 'pending';
