SET LOCAL lock_timeout = '3s';

-- Mails to addresses that people of an organization have named (invitations, questions to confirm) of the last day: they bound how many
-- more may be sent. Replaces notices.asked_addresses, which is no longer written.
CREATE TABLE identity.named_recipients (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  recipient_digest bytea NOT NULL CHECK (length(recipient_digest) = 32),
  expires_at timestamptz NOT NULL
);
CREATE INDEX named_recipients_of_organization ON identity.named_recipients (organization_id, expires_at);
CREATE INDEX named_recipients_by_digest ON identity.named_recipients (recipient_digest, expires_at);
CREATE INDEX named_recipients_by_expiry ON identity.named_recipients (expires_at);
