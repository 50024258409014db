-- People of an organization and how they sign in to the dashboard. Nothing here opens the API.

CREATE TABLE identity.collaborators (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organizations (id),
  -- In small letters: an address signs in to one organization.
  email text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
  enabled boolean NOT NULL DEFAULT true,
  -- Argon2id in PHC string format, with its parameters and salt.
  password_hash text NOT NULL CHECK (password_hash LIKE '$argon2id$%'),
  last_signed_in_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX collaborators_of_organization ON identity.collaborators (organization_id, id);

-- One-time links: an invitation, or a password reset of a collaborator. A link that was used or replaced is deleted.
CREATE TABLE identity.invitations (
  id uuid PRIMARY KEY,
  -- SHA-256 of 256 random bits.
  token_digest bytea NOT NULL UNIQUE CHECK (length(token_digest) = 32),
  organization_id uuid NOT NULL REFERENCES identity.organizations (id),
  email text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
  invited_by text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (organization_id, email)
);
CREATE TABLE identity.password_resets (
  collaborator_id uuid PRIMARY KEY REFERENCES identity.collaborators (id),
  token_digest bytea NOT NULL UNIQUE CHECK (length(token_digest) = 32),
  expires_at timestamptz NOT NULL
);

-- Second factors.
CREATE TABLE identity.authenticators (
  id uuid PRIMARY KEY,
  collaborator_id uuid NOT NULL REFERENCES identity.collaborators (id),
  -- False until a first code has shown that the app has the secret.
  is_confirmed boolean NOT NULL,
  -- Encrypted with the key ring; the authenticator's id is authenticated with it.
  key_id text NOT NULL,
  sealed_secret bytea NOT NULL,
  -- Number of the last 30 seconds whose code was accepted: a code works once.
  last_step bigint NOT NULL DEFAULT 0,
  confirmed_at timestamptz,
  created_at timestamptz NOT NULL,
  CHECK (is_confirmed = (confirmed_at IS NOT NULL)),
  -- One of each: a new one waits beside the old one until it is confirmed, and takes its place.
  UNIQUE (collaborator_id, is_confirmed)
);
CREATE TABLE identity.passkeys (
  id uuid PRIMARY KEY,
  collaborator_id uuid NOT NULL REFERENCES identity.collaborators (id),
  -- As WebAuthn gives it.
  credential_id bytea NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  last_used_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX passkeys_of_collaborator ON identity.passkeys (collaborator_id, id);
CREATE TABLE identity.recovery_codes (
  collaborator_id uuid NOT NULL REFERENCES identity.collaborators (id),
  -- SHA-256 of 120 random bits.
  code_digest bytea NOT NULL CHECK (length(code_digest) = 32),
  PRIMARY KEY (collaborator_id, code_digest)
);

CREATE TABLE identity.dashboard_sessions (
  id uuid PRIMARY KEY,
  -- SHA-256 of the cookie, which is 256 random bits. Replaced at each step of signing in.
  token_digest bytea NOT NULL UNIQUE CHECK (length(token_digest) = 32),
  collaborator_id uuid NOT NULL REFERENCES identity.collaborators (id),
  -- What has been proven: the password only, with a factor still to enrol or to show; or both.
  stage text NOT NULL CHECK (stage IN ('enrolling', 'challenged', 'signed_in')),
  address text NOT NULL,
  user_agent text NOT NULL,
  -- When the second factor was shown last; a change of factors wants it shown lately.
  factor_proven_at timestamptz,
  -- That a passkey is to sign next.
  challenge text,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX dashboard_sessions_of_collaborator ON identity.dashboard_sessions (collaborator_id, id);
CREATE INDEX dashboard_sessions_by_expiry ON identity.dashboard_sessions (expires_at);

-- Devices that someone has signed in from: strangers' wrong guesses do not lock these out.
CREATE TABLE identity.known_devices (
  token_digest bytea PRIMARY KEY CHECK (length(token_digest) = 32),
  collaborator_id uuid NOT NULL REFERENCES identity.collaborators (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX known_devices_of_collaborator ON identity.known_devices (collaborator_id);
CREATE INDEX known_devices_by_expiry ON identity.known_devices (expires_at);

-- Wrong passwords and codes in a row, by what is guessed and from where.
CREATE TABLE identity.sign_in_failures (
  subject bytea PRIMARY KEY CHECK (length(subject) = 32),
  failures integer NOT NULL,
  locked_until timestamptz NOT NULL
);
CREATE INDEX sign_in_failures_by_end ON identity.sign_in_failures (locked_until);

-- Mails that are still to be sent; deleted once the mail server has taken them.
CREATE TABLE identity.outgoing_mails (
  id uuid PRIMARY KEY,
  recipient text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX outgoing_mails_due ON identity.outgoing_mails (due_at, id);
