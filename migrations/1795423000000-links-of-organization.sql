-- The links of a whole organization, newest first, as the dashboard lists them.
SET LOCAL lock_timeout = '3s';

CREATE INDEX payment_links_of_organization ON payments.payment_links (organization_id, id DESC);
