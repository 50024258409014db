-- Apart from the views. Refunds and payouts that have not ended are few, but the indexes are built over all.
SET LOCAL lock_timeout = '3s';

CREATE INDEX refunds_followed_in_turns ON settlement.refunds (network, organization_id, followed_at NULLS FIRST)
  WHERE paid_by = 'merchant' AND status = 'processing';
CREATE INDEX refund_float_payouts_in_turns ON settlement.refund_float_payouts (network, organization_id, due_at)
  WHERE status = 'processing';
