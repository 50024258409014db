-- Organizations and accounts, API credentials, and the people of the dashboard.
-- The views and functions named public_… are the context's contract: other contexts read these, and no table.
CREATE SCHEMA identity;

CREATE TABLE identity.organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- An organization gets production credentials only once it is approved.
  approved_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE identity.accounts (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organizations (id),
  external_id text CHECK (length(external_id) BETWEEN 1 AND 128),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- A deleted account stays readable in what was collected on it.
  deleted_at timestamptz,
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, external_id)
);

CREATE TABLE identity.credentials (
  id uuid PRIMARY KEY,
  key_id text NOT NULL UNIQUE,
  -- SHA-256 of 256 random bits, which cannot be guessed: a slow password hash would add nothing.
  secret_digest bytea NOT NULL CHECK (length(secret_digest) = 32),
  organization_id uuid NOT NULL REFERENCES identity.organizations (id),
  -- Null: the credential is valid for the whole organization.
  account_id uuid,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  roles text[] NOT NULL CHECK (roles <@ ARRAY['read', 'write'] AND cardinality(roles) BETWEEN 1 AND 2),
  -- Canonical CIDR ranges; empty: any address.
  allowed_addresses text[] NOT NULL DEFAULT '{}',
  enabled boolean NOT NULL DEFAULT true,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT credentials_key_id_ends_with_id CHECK (right(key_id, 36) = id::text),
  FOREIGN KEY (organization_id, account_id) REFERENCES identity.accounts (organization_id, id)
);
CREATE INDEX credentials_of_organization ON identity.credentials (organization_id, id);

-- Token exchanges of a minute. All are limited by the address, failed ones by the key and the address together. The table is
-- unlogged: its rows are worth nothing a minute later, and a flood of them must not become a flood of WAL.
CREATE UNLOGGED TABLE identity.exchange_attempts (
  -- SHA-256 of the limit's name, the key and the address: it has one length, whatever was sent as a key.
  subject bytea PRIMARY KEY CHECK (length(subject) = 32),
  -- The time of the first attempt. Attempts of the minute after it are counted.
  began_at timestamptz NOT NULL,
  taken integer NOT NULL CHECK (taken >= 1)
  -- One more attempt changes no indexed column: with room in the page it costs no index entry.
) WITH (fillfactor = 50);
CREATE INDEX exchange_attempts_by_begin ON identity.exchange_attempts (began_at);

-- The record of who changed what and when. It holds no secrets.
CREATE TABLE identity.audit_log (
  position bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  organization_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  before jsonb,
  after jsonb,
  -- The address that a caller's change came from; null for the operator's.
  address text
);
CREATE INDEX audit_log_of_organization ON identity.audit_log (organization_id, position);
-- Few entries are made, by hand, so the index stays small.
CREATE INDEX audit_log_of_subject ON identity.audit_log (subject_id, position);
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON identity.audit_log
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER audit_log_never_truncated BEFORE TRUNCATE ON identity.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- The people of an organization, who sign in to the dashboard. Nothing of theirs opens the API.
CREATE TABLE identity.collaborators (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organizations (id),
  -- An address, in lower case, signs in to one organization.
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

-- One-time links that invite a person. A link that was used or replaced is deleted.
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
CREATE INDEX invitations_by_expiry ON identity.invitations (expires_at);

-- One-time links that reset a password. A person may have several. A used link stays until it expires, since it counts for how
-- many a person is mailed.
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

-- Second factors: authenticator apps, passkeys and recovery codes.
CREATE TABLE identity.authenticators (
  id uuid PRIMARY KEY,
  -- A new secret waits in identity.pending_secrets until it is confirmed, and then takes the place of the old one.
  collaborator_id uuid NOT NULL UNIQUE REFERENCES identity.collaborators (id),
  -- Encrypted with the key ring; the authenticator's id is authenticated with it.
  key_id text NOT NULL,
  sealed_secret bytea NOT NULL,
  -- The number of the 30 seconds whose code was accepted last: a code works once.
  last_step bigint NOT NULL DEFAULT 0,
  -- The time of the first code, which has shown that the app has the secret.
  confirmed_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE identity.passkeys (
  id uuid PRIMARY KEY,
  collaborator_id uuid NOT NULL REFERENCES identity.collaborators (id),
  -- The id in the form of WebAuthn.
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
  -- SHA-256 of the cookie, which is 256 random bits. Each step of signing in replaces it.
  token_digest bytea NOT NULL UNIQUE CHECK (length(token_digest) = 32),
  collaborator_id uuid NOT NULL REFERENCES identity.collaborators (id),
  -- A person has proven the password only, with a factor still to enrol or to show; or both.
  stage text NOT NULL CHECK (stage IN ('enrolling', 'challenged', 'signed_in')),
  address text NOT NULL,
  user_agent text NOT NULL,
  -- The time when the second factor was shown last; a change of factors requires a recent one.
  factor_proven_at timestamptz,
  -- A passkey is to sign it next.
  challenge text,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The challenge can be signed until then.
  challenge_until timestamptz
);
CREATE INDEX dashboard_sessions_of_collaborator ON identity.dashboard_sessions (collaborator_id, id);
CREATE INDEX dashboard_sessions_by_expiry ON identity.dashboard_sessions (expires_at);

-- A secret that no app has confirmed yet ends with its session, at the latest.
CREATE TABLE identity.pending_secrets (
  session_id uuid PRIMARY KEY REFERENCES identity.dashboard_sessions (id) ON DELETE CASCADE,
  -- The id of the authenticator that it becomes; the encryption of the secret authenticates it.
  id uuid NOT NULL UNIQUE,
  key_id text NOT NULL,
  sealed_secret bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX pending_secrets_by_expiry ON identity.pending_secrets (expires_at);

-- Devices from which a person has signed in: wrong guesses of strangers do not lock these out.
CREATE TABLE identity.known_devices (
  token_digest bytea PRIMARY KEY CHECK (length(token_digest) = 32),
  collaborator_id uuid NOT NULL REFERENCES identity.collaborators (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX known_devices_of_collaborator ON identity.known_devices (collaborator_id);
CREATE INDEX known_devices_by_expiry ON identity.known_devices (expires_at);

-- Wrong passwords and codes in a row; the digest says what is guessed and from where.
CREATE TABLE identity.sign_in_failures (
  subject bytea PRIMARY KEY CHECK (length(subject) = 32),
  failures integer NOT NULL,
  locked_until timestamptz NOT NULL
);
CREATE INDEX sign_in_failures_by_end ON identity.sign_in_failures (locked_until);

-- Mails that are still to be sent. A row is deleted once the mail server has taken the mail.
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

-- Answers whether something may be created on the account, and keeps that answer true until the transaction ends. Only a
-- deleted account answers false; the caller knows already whose account it is. Deleting takes the same lock exclusively. The
-- lock is advisory, since a row lock would write the row at each creation. The second statement sees what was committed before
-- the lock was granted, which the calling statement may not.
CREATE FUNCTION identity.public_hold_account(organization uuid, account uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('account ' || account, 0));
  RETURN NOT EXISTS (SELECT FROM identity.accounts a
    WHERE a.id = account AND a.organization_id = organization AND a.deleted_at IS NOT NULL);
END $$;

-- Deleted accounts are part of it: what was collected on them keeps their names.
CREATE VIEW identity.public_accounts AS
  SELECT a.id, a.organization_id, o.name AS organization_name, a.external_id, a.name, a.deleted_at
  FROM identity.accounts a JOIN identity.organizations o ON o.id = a.organization_id;

-- Invariants of other contexts compare their rows with it.
CREATE VIEW identity.public_audit_log AS
  SELECT position, at, action, organization_id, subject_id, after FROM identity.audit_log;
