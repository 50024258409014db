SET LOCAL lock_timeout = '3s';

-- Subscriptions in merchants' event logs: of no payment request.
ALTER TABLE webhooks.events
  DROP CONSTRAINT events_event_type_check,
  ADD CONSTRAINT events_event_type_check CHECK (event_type IN
    ('payment_request', 'incoming_transfer', 'refund', 'deposit', 'adjustment', 'settlement', 'subscription')) NOT VALID,
  DROP CONSTRAINT events_of_a_payment_request,
  ADD CONSTRAINT events_of_a_payment_request CHECK (
    (payment_request_id IS NULL) = (event_type IN ('settlement', 'subscription'))) NOT VALID;
