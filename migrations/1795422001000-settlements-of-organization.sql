SET LOCAL lock_timeout = '3s';

-- For the dashboard, which lists the settlements of all accounts.
CREATE INDEX settlements_of_organization ON settlement.settlements (organization_id, created_at DESC, id DESC);
