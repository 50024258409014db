SET LOCAL lock_timeout = '3s';

-- Part of the context's contract, for the dashboard's search: webhooks that are active or not.
CREATE VIEW webhooks.public_registered_webhooks AS
  SELECT id, organization_id, event_type, created_at FROM webhooks.webhooks WHERE deleted_at IS NULL;
