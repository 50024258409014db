-- The creation of a payment request compares the version of its point of sale after it has taken the account's lock, so that it does
-- not use a point of sale that was deleted while it waited.
SET LOCAL lock_timeout = '3s';

CREATE FUNCTION point_of_sale.public_hold_version(point_of_sale uuid, organization uuid, account uuid, known text) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('account ' || account, 0));
  RETURN EXISTS (SELECT FROM point_of_sale.public_point_of_sale_versions p
      WHERE p.id = point_of_sale AND p.organization_id = organization AND p.account_id = account AND p.version = known)
    AND NOT EXISTS (SELECT FROM identity.public_accounts a
      WHERE a.id = account AND a.organization_id = organization AND a.deleted_at IS NOT NULL);
END $$;

-- Waits for transactions that create an object of the account, and delays new ones until the transaction ends.
CREATE FUNCTION identity.public_exclude_new_objects(account uuid) RETURNS void
LANGUAGE sql VOLATILE AS $$ SELECT pg_advisory_xact_lock(hashtextextended('account ' || account, 0)) $$;
