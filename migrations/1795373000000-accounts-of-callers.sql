SET LOCAL lock_timeout = '3s';

-- When the account was deleted. It stays readable in what was collected on it.
ALTER TABLE identity.accounts ADD COLUMN deleted_at timestamptz;

-- The address that a change of a caller came from; null for the operator's.
ALTER TABLE identity.audit_log ADD COLUMN address text;

-- Deleted accounts too: what was collected on them keeps their names.
CREATE OR REPLACE VIEW identity.public_accounts AS
  SELECT a.id, a.organization_id, o.name AS organization_name, a.external_id, a.name, a.deleted_at
  FROM identity.accounts a JOIN identity.organizations o ON o.id = a.organization_id;

-- Part of the context's contract: whether the account can be built on, which then stays so until the transaction ends.
-- Deleting an account takes the same lock alone. A lock and not the row's, which would be written by every creation. The
-- second statement sees what was committed before the lock was granted, which the calling statement may not.
CREATE FUNCTION identity.public_hold_account(organization uuid, account uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('account ' || account, 0));
  RETURN EXISTS (SELECT FROM identity.accounts a
    WHERE a.id = account AND a.organization_id = organization AND a.deleted_at IS NULL);
END $$;
