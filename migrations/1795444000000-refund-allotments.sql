-- Refunds of what was collected for an account's own settlement address come out of what the operator has allotted to it.
SET LOCAL lock_timeout = '3s';

-- By what such refunds are bounded; an organization without a row has `topped_up`. Set by the operator alone.
CREATE TABLE settlement.refund_bases (
  organization_id uuid PRIMARY KEY,
  basis text NOT NULL CONSTRAINT refund_bases_basis CHECK (basis IN ('topped_up', 'received')),
  set_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT platform.now()
);

-- What an account may take of its organization's refund float in all; an account without a row has none.
CREATE TABLE settlement.refund_allotments (
  account_id uuid NOT NULL,
  unique_asset_id text NOT NULL,
  organization_id uuid NOT NULL,
  -- Of the audit log.
  subject_id uuid NOT NULL UNIQUE,
  -- Since the beginning.
  allotted settlement.refund_units NOT NULL,
  -- By refunds that are paid, or about to be.
  used settlement.refund_units NOT NULL DEFAULT 0,
  set_by text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT platform.now(),
  PRIMARY KEY (account_id, unique_asset_id),
  CONSTRAINT refund_allotments_used_within_allotted CHECK (used <= allotted)
);
CREATE INDEX refund_allotments_of_organization ON settlement.refund_allotments (organization_id);

-- Null of what a release before this one approved, which had no allotments.
ALTER TABLE settlement.refund_float_payouts ADD COLUMN from_allotment boolean;

CREATE FUNCTION settlement.keep_payout_allotment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a payout of a refund float keeps what it is taken from';
END $$;
CREATE TRIGGER refund_float_payouts_keep_allotment BEFORE UPDATE ON settlement.refund_float_payouts FOR EACH ROW
  WHEN (OLD.from_allotment IS DISTINCT FROM NEW.from_allotment) EXECUTE FUNCTION settlement.keep_payout_allotment();
