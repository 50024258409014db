SET LOCAL lock_timeout = '3s';

-- For the dashboard, which lists the webhooks of all accounts and the log of one webhook.
CREATE INDEX webhooks_of_organization ON webhooks.webhooks (organization_id, id) WHERE deleted_at IS NULL;
CREATE INDEX delivery_attempts_of_webhook ON webhooks.delivery_attempts (webhook_id, created_at DESC, id DESC);
