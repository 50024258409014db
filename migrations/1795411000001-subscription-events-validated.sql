SET LOCAL lock_timeout = '3s';

ALTER TABLE webhooks.events
  VALIDATE CONSTRAINT events_event_type_check,
  VALIDATE CONSTRAINT events_of_a_payment_request;
