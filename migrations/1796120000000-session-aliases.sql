-- The printed code of a till leads to an alias of the session, which ends once a payment is seen.
SET LOCAL lock_timeout = '3s';

-- Rows exist only for sessions that the code has shown.
CREATE TABLE payments.session_aliases (
  payment_request_id uuid PRIMARY KEY REFERENCES payments.checkouts (payment_request_id) ON DELETE CASCADE,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  alias text NOT NULL UNIQUE CHECK (alias ~ '^[A-Za-z0-9_-]{32}$'),
  -- SHA-256 of the cookie of the only browser that opened the session, by its alias, before a payment was seen. Empty: several did.
  holder bytea CHECK (length(holder) IN (0, 32)),
  created_at timestamptz NOT NULL
);

-- SHA-256 of the cookie of the browser that requested the mail: only that browser corrects the address. Null: the merchant, or a
-- process of the release before.
ALTER TABLE payments.payer_mails ADD COLUMN browser_digest bytea CHECK (length(browser_digest) = 32);
