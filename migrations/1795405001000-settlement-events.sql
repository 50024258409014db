SET LOCAL lock_timeout = '3s';

-- Settlements in merchants' event logs: of many payment requests, so of none.
ALTER TABLE webhooks.events
  ALTER COLUMN payment_request_id DROP NOT NULL,
  DROP CONSTRAINT events_event_type_check,
  ADD CONSTRAINT events_event_type_check CHECK (event_type IN
    ('payment_request', 'incoming_transfer', 'refund', 'deposit', 'adjustment', 'settlement')) NOT VALID,
  ADD CONSTRAINT events_of_a_payment_request CHECK (
    (payment_request_id IS NULL) = (event_type = 'settlement')) NOT VALID;
