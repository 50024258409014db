-- Overpaid requests, for the dashboard's overview. The excess is in smallest units.
CREATE VIEW payments.public_overpaid_requests AS
  SELECT id, organization_id, point_of_sale_id, unique_asset_id, created_at, received_amount - amount AS excess
  FROM payments.payment_requests WHERE status = 'overpaid';
