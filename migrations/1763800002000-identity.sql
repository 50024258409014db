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

-- Who changed what and when. Secrets are never written to it.
CREATE TABLE identity.audit_log (
  position bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  organization_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  before jsonb,
  after jsonb
);
CREATE INDEX audit_log_of_organization ON identity.audit_log (organization_id, position);
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON identity.audit_log
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER audit_log_never_truncated BEFORE TRUNCATE ON identity.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- Part of the context's contract: other contexts may join it to show names with their own records.
CREATE VIEW identity.public_accounts AS
  SELECT a.id, a.organization_id, o.name AS organization_name, a.external_id, a.name
  FROM identity.accounts a JOIN identity.organizations o ON o.id = a.organization_id;
