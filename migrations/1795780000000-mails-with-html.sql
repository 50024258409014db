SET LOCAL lock_timeout = '3s';

-- A process of the release before sends the text alone, which is complete.
ALTER TABLE identity.outgoing_mails
  ADD COLUMN html text,
  -- Present for mails that can be unsubscribed: those wait behind all others, and are bounded in number.
  ADD COLUMN unsubscribe_url text,
  -- Whose mail it is, where it can be unsubscribed.
  ADD COLUMN organization_id uuid,
  -- A file name and its text.
  ADD COLUMN attachment jsonb;

-- Few rows: a mail is deleted once it is sent.
CREATE INDEX outgoing_mails_by_kind ON identity.outgoing_mails ((unsubscribe_url IS NOT NULL), due_at, id);
CREATE INDEX outgoing_mails_of_organization ON identity.outgoing_mails (organization_id) WHERE unsubscribe_url IS NOT NULL;
CREATE INDEX outgoing_mails_to_withdraw ON identity.outgoing_mails (unsubscribe_url) WHERE unsubscribe_url IS NOT NULL;
