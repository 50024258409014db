SET LOCAL lock_timeout = '3s';

-- The merchant's names and look before payers: one row for an account, one for all accounts of the organization.
CREATE TABLE identity.brandings (
  organization_id uuid NOT NULL REFERENCES identity.organizations (id),
  -- Null: holds, field by field, for each account that has none of its own.
  account_id uuid,
  display_name text CHECK (length(display_name) BETWEEN 1 AND 200),
  tax_id text CHECK (length(tax_id) BETWEEN 1 AND 64),
  -- Lines divided by line feeds.
  postal_address text CHECK (length(postal_address) BETWEEN 1 AND 650),
  colour text CHECK (colour ~ '^#[0-9a-f]{6}$'),
  -- PNG, JPEG or WebP without metadata, as logo-file.ts leaves it. Anybody may read it under its digest.
  logo bytea CHECK (length(logo) BETWEEN 1 AND 200000),
  logo_type text CHECK (logo_type IN ('image/png', 'image/jpeg', 'image/webp')),
  logo_width integer CHECK (logo_width BETWEEN 1 AND 2048),
  logo_height integer CHECK (logo_height BETWEEN 1 AND 2048),
  -- SHA-256 of the logo.
  logo_digest bytea CHECK (length(logo_digest) = 32),
  updated_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (organization_id, account_id),
  FOREIGN KEY (organization_id, account_id) REFERENCES identity.accounts (organization_id, id),
  CONSTRAINT brandings_logo_complete
    CHECK (num_nonnulls(logo, logo_type, logo_width, logo_height, logo_digest) IN (0, 5))
);
-- Two organizations may have the same logo.
CREATE INDEX brandings_by_logo ON identity.brandings (logo_digest) WHERE logo_digest IS NOT NULL;
