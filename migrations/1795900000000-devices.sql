SET LOCAL lock_timeout = '3s';

-- A credential with a point of sale is a device's: it acts on that point of sale alone. An API key has none.
ALTER TABLE identity.credentials
  ADD COLUMN point_of_sale_id uuid,
  -- The person who offered the code by which the device was paired, and the role that they had then.
  ADD COLUMN paired_by uuid REFERENCES identity.collaborators (id),
  ADD COLUMN paired_as text,
  ADD CONSTRAINT credentials_of_devices CHECK (num_nulls(point_of_sale_id, paired_by, paired_as) IN (0, 3)
    AND (point_of_sale_id IS NULL OR account_id IS NOT NULL)) NOT VALID;

-- Codes by which a device is paired. A used code is deleted.
CREATE TABLE identity.pairing_codes (
  code_digest bytea PRIMARY KEY CHECK (length(code_digest) = 32),
  organization_id uuid NOT NULL REFERENCES identity.organizations (id),
  account_id uuid NOT NULL,
  point_of_sale_id uuid NOT NULL,
  offered_by uuid NOT NULL REFERENCES identity.collaborators (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX pairing_codes_of_collaborator ON identity.pairing_codes (offered_by);
CREATE INDEX pairing_codes_by_expiry ON identity.pairing_codes (expires_at);

ALTER TABLE identity.collaborators DROP CONSTRAINT collaborators_role_check,
  ADD CONSTRAINT collaborators_role_check CHECK (role IN ('owner', 'admin', 'developer', 'viewer', 'cashier')) NOT VALID;
ALTER TABLE identity.invitations DROP CONSTRAINT invitations_role_check,
  ADD CONSTRAINT invitations_role_check CHECK (role IN ('owner', 'admin', 'developer', 'viewer', 'cashier')) NOT VALID;
