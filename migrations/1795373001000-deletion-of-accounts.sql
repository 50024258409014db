SET LOCAL lock_timeout = '3s';

-- Whether the account can be built on, which then stays so until the transaction ends; whose it is the caller has asked
-- before. As it was, but one deleted account alone says no.
CREATE OR REPLACE FUNCTION identity.public_hold_account(organization uuid, account uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('account ' || account, 0));
  RETURN NOT EXISTS (SELECT FROM identity.accounts a
    WHERE a.id = account AND a.organization_id = organization AND a.deleted_at IS NOT NULL);
END $$;

-- Part of the context's contract, like the views below: what stands in the way of deleting an account.
CREATE VIEW payments.public_open_requests AS
  SELECT id, organization_id, account_id FROM payments.payment_requests WHERE status = 'pending'
  UNION ALL
  SELECT id, organization_id, account_id FROM payments.payment_requests WHERE status IN ('created', 'processing');

CREATE VIEW payments.public_active_links AS
  SELECT id, organization_id, account_id, point_of_sale_id FROM payments.payment_links WHERE active;

-- Transfers that the ledger will still be told of: not final yet, or a deposit that is not made yet. What counts for an open
-- request is told of with its outcome.
CREATE VIEW payments.public_unposted_transfers AS
  SELECT id, organization_id, account_id, unique_asset_id FROM payments.transfers WHERE canonical AND NOT final
  UNION ALL
  SELECT id, organization_id, account_id, unique_asset_id FROM payments.transfers
  WHERE canonical AND final AND NOT counted AND deposited_at IS NULL;

CREATE VIEW ledger.public_account_custody AS
  SELECT organization_id, account_id, unique_asset_id, amount FROM ledger.balances
  WHERE ledger_account = 'custody' AND amount <> 0;

CREATE VIEW webhooks.public_active_webhooks AS
  SELECT id, organization_id, account_id FROM webhooks.webhooks WHERE active;
