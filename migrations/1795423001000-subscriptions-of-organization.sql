-- The subscriptions of a whole organization, newest first, as the dashboard lists them: all, or those of one status.
SET LOCAL lock_timeout = '3s';

CREATE INDEX subscriptions_of_organization ON subscriptions.subscriptions (organization_id, id DESC);
CREATE INDEX subscriptions_of_organization_by_status ON subscriptions.subscriptions (organization_id, status, id DESC);
