SET LOCAL lock_timeout = '3s';

-- For the latest payments on the dashboard's overview. The amount is in smallest units if `decimals` is not null.
CREATE VIEW payments.public_listed_requests AS
  SELECT r.id, r.organization_id, r.account_id, r.point_of_sale_id, r.status, r.reference_id, r.created_at, r.decimals,
    COALESCE(r.currency, (SELECT c.coin_code FROM payments.checkouts c WHERE c.payment_request_id = r.id)) AS currency,
    COALESCE(r.amount::text, (SELECT c.amount::text FROM payments.checkouts c WHERE c.payment_request_id = r.id)) AS amount
  FROM payments.payment_requests r;
