-- The shortfall that an account accepts of payments, and what payment requests and merchants' events keep of it.
SET LOCAL lock_timeout = '3s';

ALTER TABLE identity.accounts
  -- {"basisPoints", "atMost"}: no more than so many ten-thousandths of the price, and so many units of it. Null: none is accepted.
  ADD COLUMN underpayment_tolerance jsonb,
  ADD CONSTRAINT accounts_underpayment_tolerance CHECK (underpayment_tolerance IS NULL OR (
    (underpayment_tolerance ->> 'basisPoints')::integer BETWEEN 1 AND 500
    AND underpayment_tolerance ->> 'atMost' ~ '^[0-9]{1,80}(\.[0-9]{1,18})?$'
    AND underpayment_tolerance ->> 'atMost' ~ '[1-9]') IS TRUE);

CREATE VIEW identity.public_underpayment_tolerances AS
  SELECT id AS account_id, underpayment_tolerance FROM identity.accounts;

-- A writer compares `version` with the version of the copy that it used, which has the tolerance of the account too.
CREATE OR REPLACE VIEW point_of_sale.public_point_of_sale_versions AS
  SELECT p.id, p.organization_id, p.account_id,
    p.version || '.' || coalesce(t.version, 0) || coalesce('.' || a.underpayment_tolerance::text, '') AS version,
    a.underpayment_tolerance
  FROM point_of_sale.points_of_sale p
  LEFT JOIN point_of_sale.terms_versions t ON t.organization_id = p.organization_id
  LEFT JOIN identity.public_underpayment_tolerances a ON a.account_id = p.account_id;

ALTER TABLE payments.payment_requests
  -- The tolerance of the account when the request was created; null: none.
  ADD COLUMN underpayment_tolerance jsonb,
  -- The request has ended underpaid by no more than its tolerance.
  ADD COLUMN underpayment_accepted boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT payment_requests_accepted_underpaid CHECK (
    NOT underpayment_accepted OR (status = 'underpaid' AND underpayment_tolerance IS NOT NULL)) NOT VALID;

-- Of a `payment_request` event: the request has ended underpaid, and its merchant accepts that.
ALTER TABLE webhooks.events ADD COLUMN underpayment_accepted boolean NOT NULL DEFAULT false;
