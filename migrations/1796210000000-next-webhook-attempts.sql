-- The dashboard shows when a failed delivery is tried again.
CREATE OR REPLACE VIEW webhooks.public_delivery_attempts AS
  SELECT d.id AS delivery_id, d.organization_id, d.webhook_id, d.event_id, d.event_type, a.attempt,
    COALESCE(a.status, d.status) AS status, a.http_status, a.error, COALESCE(a.created_at, d.created_at) AS created_at,
    a.next_attempt_at
  FROM webhooks.deliveries d LEFT JOIN webhooks.delivery_attempts a ON a.delivery_id = d.id;
