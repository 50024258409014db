-- Token exchanges of a minute, by what they are limited by: the address, and failed ones the key and the address together.
-- Unlogged: they are worth nothing a minute later, and a flood of them must not become a flood of WAL.
CREATE UNLOGGED TABLE identity.exchange_attempts (
  -- SHA-256 of the limit's name, the key and the address: of one length, whatever was sent as a key.
  subject bytea PRIMARY KEY CHECK (length(subject) = 32),
  -- Of the first attempt; its minute is what is counted.
  began_at timestamptz NOT NULL,
  taken integer NOT NULL CHECK (taken >= 1)
  -- One more attempt changes no indexed column: with room in the page it costs no index entry.
) WITH (fillfactor = 50);
CREATE INDEX exchange_attempts_by_begin ON identity.exchange_attempts (began_at);
