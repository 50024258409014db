SET LOCAL lock_timeout = '3s';

-- Parts of the contexts' contracts, for the timeline of a payment.

CREATE VIEW ledger.public_transaction_records AS
  SELECT id, organization_id, payment_request_id, source_id, type, status, gross_amount, currency, decimals,
    transaction_hash, created_at
  FROM ledger.transactions;

CREATE VIEW settlement.public_settlement_records AS
  SELECT id, organization_id, network, amount, currency, decimals, transaction_hash, status, created_at
  FROM settlement.settlements;

CREATE VIEW settlement.public_refund_records AS
  SELECT id, organization_id, payment_request_id, amount, currency, decimals, transaction_hash, status, created_at
  FROM settlement.refunds;

-- One row per attempt; one without an attempt for a delivery that waits for its first.
CREATE VIEW webhooks.public_delivery_attempts AS
  SELECT d.id AS delivery_id, d.organization_id, d.webhook_id, d.event_id, d.event_type, a.attempt,
    COALESCE(a.status, d.status) AS status, a.http_status, a.error, COALESCE(a.created_at, d.created_at) AS created_at
  FROM webhooks.deliveries d LEFT JOIN webhooks.delivery_attempts a ON a.delivery_id = d.id;
