-- The final amounts that a payment request still has, by asset: `paid` as its outcome, `deposited` beside it. A transfer that a
-- reorganisation removed is no longer canonical. Settlement reads this under the lock of a request's refunds.
CREATE VIEW payments.public_received_sums AS
  SELECT t.payment_request_id, t.unique_asset_id, t.network, t.currency, t.decimals,
    COALESCE(sum(t.amount) FILTER (WHERE t.counted AND t.unique_asset_id = r.unique_asset_id
      AND r.status NOT IN ('expired', 'failed') AND r.confirmed_at IS NOT NULL
      AND (r.outcome_block IS NULL OR COALESCE(t.block_number <= r.outcome_block, false))), 0) AS paid,
    COALESCE(sum(t.amount) FILTER (WHERE t.deposited_at IS NOT NULL), 0) AS deposited
  FROM payments.transfers t JOIN payments.payment_requests r ON r.id = t.payment_request_id
  WHERE t.canonical AND t.final
  GROUP BY t.payment_request_id, t.unique_asset_id, t.network, t.currency, t.decimals;

-- Requests whose money was reversed.
CREATE VIEW payments.public_reversed_requests AS
  SELECT DISTINCT payment_request_id, network FROM payments.settlement_holds;
