-- Settlement terms whose payouts failed in execution, and rows of what waits that say nothing.
SET LOCAL lock_timeout = '3s';

-- Of one settlement address and asset: payouts were sent, cost gas and were not paid out. Others of the same are left out until
-- `retry_at`; then one is tried alone.
CREATE TABLE settlement.failing_terms (
  network text NOT NULL,
  -- In lower case.
  settlement_address text NOT NULL CONSTRAINT failing_terms_lower_case CHECK (settlement_address = lower(settlement_address)),
  unique_asset_id text NOT NULL,
  -- A sentence for the operator.
  says text NOT NULL,
  times integer NOT NULL CONSTRAINT failing_terms_times_range CHECK (times > 0),
  failed_at timestamptz NOT NULL,
  -- Null once a payout was paid out.
  retry_at timestamptz,
  PRIMARY KEY (network, unique_asset_id, settlement_address)
);

-- Those that are deleted.
CREATE INDEX waiting_empty ON settlement.waiting (network, address) WHERE amount = 0;
