SET LOCAL lock_timeout = '3s';

-- Parts of the contexts' contracts, for the dashboard's search, and the indexes that it reads.

CREATE VIEW payments.public_payment_links AS
  SELECT id, organization_id, code, active, created_at FROM payments.payment_links;

CREATE VIEW subscriptions.public_subscription_records AS
  SELECT id, organization_id, code, reference_id, status, wallet_id, created_at FROM subscriptions.subscriptions;

CREATE VIEW point_of_sale.public_named_points_of_sale AS
  SELECT id, organization_id, name FROM point_of_sale.points_of_sale;

CREATE VIEW subscriptions.public_wallets AS
  SELECT id, organization_id, external_id FROM subscriptions.wallets;

CREATE INDEX subscriptions_by_reference ON subscriptions.subscriptions (organization_id, reference_id)
  WHERE reference_id IS NOT NULL;
CREATE INDEX subscriptions_of_wallet ON subscriptions.subscriptions (wallet_id) WHERE wallet_id IS NOT NULL;
CREATE INDEX refunds_by_transaction ON settlement.refunds (transaction_hash) WHERE transaction_hash IS NOT NULL;
