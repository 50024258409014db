-- What belongs to one session while a factor is set up or shown, and reset links that do not replace each other.
SET LOCAL lock_timeout = '3s';

-- A secret that no app has confirmed yet. It ends with its session, at the latest.
CREATE TABLE identity.pending_secrets (
  session_id uuid PRIMARY KEY REFERENCES identity.dashboard_sessions (id) ON DELETE CASCADE,
  -- Of the authenticator that it becomes, authenticated with the secret.
  id uuid NOT NULL UNIQUE,
  key_id text NOT NULL,
  sealed_secret bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX pending_secrets_by_expiry ON identity.pending_secrets (expires_at);

ALTER TABLE identity.dashboard_sessions
  -- Until when the challenge can be signed.
  ADD COLUMN challenge_until timestamptz;

-- In place of password_resets, which has room for one link of a person. A link that was used stays until it expires: it counts
-- for how many a person is mailed.
CREATE TABLE identity.reset_links (
  -- SHA-256 of 256 random bits.
  token_digest bytea PRIMARY KEY CHECK (length(token_digest) = 32),
  collaborator_id uuid NOT NULL REFERENCES identity.collaborators (id),
  -- False once the password was changed, by this link or in another way.
  is_open boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX reset_links_of_collaborator ON identity.reset_links (collaborator_id);
CREATE INDEX reset_links_by_expiry ON identity.reset_links (expires_at);
