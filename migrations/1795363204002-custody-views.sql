SET LOCAL lock_timeout = '3s';

-- Parts of the contexts' contracts: what the ledger holds in custody, and which transfers stand for it.
CREATE VIEW ledger.public_custody AS
  SELECT unique_asset_id, sum(amount) AS amount FROM ledger.entries WHERE ledger_account = 'custody'
  GROUP BY unique_asset_id;

-- Canonical transfers. One is posted once its request is confirmed with it, or it is a deposit.
CREATE VIEW payments.public_standing_transfers AS
  SELECT t.network, t.unique_asset_id, t.block_number, t.amount,
    t.deposited_at IS NOT NULL OR (t.counted AND r.confirmed_at IS NOT NULL) AS posted
  FROM payments.transfers t JOIN payments.payment_requests r ON r.id = t.payment_request_id WHERE t.canonical;
