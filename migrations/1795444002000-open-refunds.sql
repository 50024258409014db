SET LOCAL lock_timeout = '3s';

CREATE INDEX refunds_open ON settlement.refunds (account_id) WHERE status IN ('pending', 'processing');

-- Parts of the context's contract: what stands in the way of deleting an account.
CREATE VIEW settlement.public_open_refunds AS
  SELECT id, organization_id, account_id FROM settlement.refunds WHERE status IN ('pending', 'processing');

CREATE VIEW settlement.public_open_float_withdrawals AS
  SELECT id, organization_id, account_id FROM settlement.refund_float_payouts
  WHERE status = 'processing' AND kind = 'withdrawal';
