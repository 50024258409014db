SET LOCAL lock_timeout = '3s';

-- Contact for payers: an email address or an https URL. Pages for payers link to it.
ALTER TABLE identity.brandings ADD COLUMN support text CHECK (length(support) BETWEEN 3 AND 254);
