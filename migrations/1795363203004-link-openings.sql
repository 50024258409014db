-- One row for each session that a payment link has opened, until it is decided what becomes of it: by these rows the open
-- sessions of a link and of an address are counted, and those that nobody paid are found once their retention is over.
SET LOCAL lock_timeout = '3s';

CREATE TABLE payments.link_openings (
  payment_request_id uuid PRIMARY KEY,
  payment_link_id uuid NOT NULL,
  -- SHA-256 of the payer's address, or of the /64 of an IPv6 one, cut to 16 bytes; null where it is not known.
  source bytea CHECK (length(source) = 16),
  -- Until when a payment counts.
  open_until timestamptz NOT NULL,
  -- When to look whether it is to be pruned.
  due_at timestamptz NOT NULL
);
CREATE INDEX link_openings_of_link ON payments.link_openings (payment_link_id, open_until);
CREATE INDEX link_openings_of_source ON payments.link_openings (source, open_until) WHERE source IS NOT NULL;
CREATE INDEX link_openings_due ON payments.link_openings (due_at);

-- Sessions opened before. Those that processes of the release before open while they are being restarted get no row: they
-- are neither counted nor pruned. None is due within an hour: a worker of that release, which may still watch the networks,
-- would not know a pruned address.
INSERT INTO payments.link_openings (payment_request_id, payment_link_id, open_until, due_at)
SELECT r.id, c.payment_link_id, r.counts_until,
  GREATEST(r.counts_until + interval '7 days', platform.now() + interval '1 hour')
FROM payments.checkouts c JOIN payments.payment_requests r ON r.id = c.payment_request_id
WHERE c.payment_link_id IS NOT NULL AND r.status IN ('pending', 'created', 'processing', 'expired');
