SET LOCAL lock_timeout = '3s';

-- Where payers reach the merchant: an email address or an https URL. Pages show it on every page of payers.
ALTER TABLE identity.brandings ADD COLUMN support text CHECK (length(support) BETWEEN 3 AND 254);
