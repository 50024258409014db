-- Points of sale, and the settlement terms by which what they collect is delivered.
-- The views and functions named public_… are the context's contract: other contexts read these, and no table.
CREATE SCHEMA point_of_sale;

CREATE TABLE point_of_sale.points_of_sale (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  type text NOT NULL CHECK (type IN ('online', 'physical')),
  merchant_name text NOT NULL CHECK (length(merchant_name) BETWEEN 1 AND 200),
  merchant_description text,
  merchant_tax_id text,
  merchant_image text,
  merchant_mcc text CHECK (merchant_mcc ~ '^[0-9]{4}$'),
  payment_options text[] NOT NULL CHECK (cardinality(payment_options) >= 1),
  return_url text,
  frame_origins text[] NOT NULL DEFAULT '{}',
  -- The version grows with every change of the row.
  version bigint NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX points_of_sale_of_organization ON point_of_sale.points_of_sale (organization_id, id);
CREATE INDEX points_of_sale_of_account ON point_of_sale.points_of_sale (organization_id, account_id, id);

-- One row per organization that has terms. Its lock orders changes of terms, so that the terms with the greatest number
-- are also the last committed. Its version marks every remembered copy of the organization's points of sale as stale.
CREATE TABLE point_of_sale.terms_versions (
  organization_id uuid PRIMARY KEY,
  version bigint NOT NULL
);

CREATE TABLE point_of_sale.settlement_terms (
  id uuid PRIMARY KEY,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  organization_id uuid NOT NULL,
  -- Null: the terms of every account of the organization that has none of its own on the network.
  account_id uuid,
  network text NOT NULL,
  settlement_address text NOT NULL CHECK (settlement_address ~ '^0x[0-9a-fA-F]{40}$'),
  fee_recipient text NOT NULL CHECK (fee_recipient ~ '^0x[0-9a-fA-F]{40}$'),
  fee_basis_points integer NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 10000),
  set_by text NOT NULL,
  created_at timestamptz NOT NULL,
  -- The forwarder factory refuses to settle by terms without a fee that name a recipient.
  CONSTRAINT settlement_terms_recipient_of_a_fee
    CHECK ((fee_basis_points = 0) = (fee_recipient = '0x0000000000000000000000000000000000000000'))
);
CREATE INDEX settlement_terms_current
  ON point_of_sale.settlement_terms (organization_id, account_id, network, number DESC);
CREATE TRIGGER settlement_terms_append_only BEFORE UPDATE OR DELETE ON point_of_sale.settlement_terms
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER settlement_terms_never_truncated BEFORE TRUNCATE ON point_of_sale.settlement_terms
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- A writer compares `version` with the version of the copy that it used.
CREATE VIEW point_of_sale.public_point_of_sale_versions AS
  SELECT p.id, p.organization_id, p.account_id, p.version || '.' || coalesce(t.version, 0) AS version
  FROM point_of_sale.points_of_sale p
  LEFT JOIN point_of_sale.terms_versions t ON t.organization_id = p.organization_id;

-- Deposit addresses commit to these terms.
CREATE VIEW point_of_sale.public_settlement_terms AS
  SELECT id, organization_id, account_id, network, settlement_address, fee_recipient, fee_basis_points
  FROM point_of_sale.settlement_terms;

CREATE VIEW point_of_sale.public_named_points_of_sale AS
  SELECT id, organization_id, name FROM point_of_sale.points_of_sale;

-- The addresses to which the money of a whole organization is delivered, by the terms in force.
CREATE VIEW point_of_sale.public_organization_addresses AS
  SELECT DISTINCT ON (organization_id, network) organization_id, network, settlement_address
  FROM point_of_sale.settlement_terms WHERE account_id IS NULL ORDER BY organization_id, network, number DESC;
