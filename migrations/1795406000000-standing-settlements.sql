SET LOCAL lock_timeout = '3s';

-- Part of the context's contract: the settlements whose money is not at its deposit addresses.
CREATE VIEW settlement.public_standing_settlements AS
  SELECT id, payouts_id, organization_id, account_id, network, unique_asset_id, status
  FROM settlement.settlements WHERE status <> 'failed';
