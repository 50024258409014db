SET LOCAL lock_timeout = '3s';

-- The receipt of a payment request that ended with money received. What it states is read from the request and from what became of
-- its money. No foreign keys in this file: they would lock the table of requests, and `verify` checks the same.
CREATE TABLE payments.receipts (
  code text PRIMARY KEY CONSTRAINT receipts_code_spelling CHECK (code ~ '^[A-Za-z0-9_-]{23}$'),
  payment_request_id uuid NOT NULL CONSTRAINT receipts_one_for_each_request UNIQUE,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  issued_at timestamptz NOT NULL
);
CREATE TRIGGER receipts_append_only BEFORE UPDATE OR DELETE ON payments.receipts
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER receipts_never_truncated BEFORE TRUNCATE ON payments.receipts
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- The mail that a payer or a merchant has asked for, one for each request. It is due once there is a receipt. The address is removed
-- as soon as the mail is queued or dropped; its digest counts mails and finds whether it is
-- unsubscribed.
CREATE TABLE payments.payer_mails (
  payment_request_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  recipient text CHECK (length(recipient) <= 254),
  address_digest bytea NOT NULL CHECK (length(address_digest) = 32),
  language text NOT NULL CHECK (language IN ('en', 'es', 'pt')),
  asked_by text NOT NULL CHECK (asked_by IN ('payer', 'merchant')),
  asked_at timestamptz NOT NULL,
  due_at timestamptz,
  outcome text CHECK (outcome IN ('queued', 'unsubscribed', 'limited')),
  ended_at timestamptz,
  -- The last part of the URL at which the recipient unsubscribes.
  code text CONSTRAINT payer_mails_code_unique UNIQUE CHECK (code ~ '^[A-Za-z0-9_-]{23}$'),
  CONSTRAINT payer_mails_ended_with_outcome CHECK ((ended_at IS NULL) = (outcome IS NULL)),
  CONSTRAINT payer_mails_address_until_end CHECK ((recipient IS NULL) = (outcome IS NOT NULL)),
  CONSTRAINT payer_mails_code_where_queued CHECK ((code IS NOT NULL) = (outcome IS NOT DISTINCT FROM 'queued'))
);
CREATE INDEX payer_mails_due ON payments.payer_mails (due_at) WHERE outcome IS NULL AND due_at IS NOT NULL;
CREATE INDEX payer_mails_waiting ON payments.payer_mails (asked_at) WHERE due_at IS NULL;
CREATE INDEX payer_mails_of_address ON payments.payer_mails (address_digest, ended_at) WHERE outcome = 'queued';
CREATE INDEX payer_mails_of_organization ON payments.payer_mails (organization_id, ended_at) WHERE outcome = 'queued';
CREATE INDEX payer_mails_by_end ON payments.payer_mails (ended_at) WHERE ended_at IS NOT NULL;

-- An address that wants no more mails of payments to an organization: the digest alone.
CREATE TABLE payments.unsubscribed_addresses (
  organization_id uuid NOT NULL,
  address_digest bytea NOT NULL CHECK (length(address_digest) = 32),
  unsubscribed_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, address_digest)
);
