SET LOCAL lock_timeout = '3s';

-- A deleted point of sale keeps its row, because its payment requests show its name.
ALTER TABLE point_of_sale.points_of_sale ADD COLUMN deleted_at timestamptz;

CREATE OR REPLACE VIEW point_of_sale.public_named_points_of_sale AS
  SELECT id, organization_id, name, deleted_at FROM point_of_sale.points_of_sale;

CREATE OR REPLACE VIEW payments.public_open_requests AS
  SELECT id, organization_id, account_id, point_of_sale_id FROM payments.payment_requests WHERE status = 'pending'
  UNION ALL
  SELECT id, organization_id, account_id, point_of_sale_id FROM payments.payment_requests
  WHERE status IN ('created', 'processing');

CREATE OR REPLACE VIEW subscriptions.public_open_subscriptions AS
  SELECT id, organization_id, account_id, point_of_sale_id FROM subscriptions.subscriptions
  WHERE status IN ('pending', 'active', 'past_due');
