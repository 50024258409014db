SET LOCAL lock_timeout = '3s';

-- Underpaid requests that the merchant accepts as paid. `underpayment_accepted` tells whether the account's tolerance does.
ALTER TABLE payments.payment_requests
  ADD COLUMN accepted_by_merchant_at timestamptz,
  ADD CONSTRAINT payment_requests_accepted_if_underpaid CHECK (accepted_by_merchant_at IS NULL OR status = 'underpaid') NOT VALID;

-- Underpaid requests that neither the tolerance nor the merchant accepts.
CREATE VIEW payments.public_unaccepted_requests AS
  SELECT id, organization_id, point_of_sale_id, created_at FROM payments.payment_requests
  WHERE status = 'underpaid' AND NOT underpayment_accepted AND accepted_by_merchant_at IS NULL;
