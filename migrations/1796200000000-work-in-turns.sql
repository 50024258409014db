-- Waiting rows by organization, beside the indexes of all of them by time.
SET LOCAL lock_timeout = '3s';

CREATE INDEX authorizations_in_turns ON payments.authorizations (network, state, organization_id, due_at, id)
  WHERE state IN ('queued', 'sent');
CREATE INDEX payer_mails_in_turns ON payments.payer_mails (organization_id, due_at)
  WHERE outcome IS NULL AND due_at IS NOT NULL;
CREATE INDEX rules_in_turns ON notices.rules (organization_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX subscriptions_in_turns ON subscriptions.subscriptions (organization_id, next_step_at)
  WHERE next_step_at IS NOT NULL;
CREATE INDEX refunds_unclaimed_in_turns ON settlement.refunds (organization_id, claim_expires_at)
  WHERE status = 'pending' AND to_address IS NULL;
CREATE INDEX payment_requests_pending_in_turns ON payments.payment_requests (organization_id, expires_at)
  WHERE status = 'pending';
-- Few organizations deactivate webhooks at a time.
DROP INDEX webhooks.webhooks_ending_deliveries;
CREATE INDEX webhooks_ending_in_turns ON webhooks.webhooks (organization_id, id) WHERE ending_deliveries;
