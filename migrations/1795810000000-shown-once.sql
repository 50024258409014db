SET LOCAL lock_timeout = '3s';

-- Secrets that a page of the dashboard shows once, after the redirect that follows the form which made them. A row is deleted as it
-- is read.
CREATE TABLE identity.shown_once (
  -- SHA-256 of the 256 random bits in the browser's cookie, which are the key that opens the secret: the database alone opens nothing.
  token_digest bytea PRIMARY KEY CHECK (length(token_digest) = 32),
  session_id uuid NOT NULL REFERENCES identity.dashboard_sessions (id) ON DELETE CASCADE,
  -- The path of the page that shows it; authenticated with the secret.
  page text NOT NULL,
  sealed_secret bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX shown_once_of_session ON identity.shown_once (session_id);
CREATE INDEX shown_once_by_expiry ON identity.shown_once (expires_at);
