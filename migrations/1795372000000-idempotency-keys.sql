-- What a credential has created under a key of its own, so that a repetition is answered as the first request was. Kept
-- for 24 hours by the service's clock. The credential is identity's; here it is only a scope.
CREATE TABLE platform.idempotency_keys (
  credential_id uuid NOT NULL,
  key text COLLATE "C" NOT NULL CHECK (key ~ '^[!-~]{1,255}$'),
  -- Method and route, for people.
  operation text NOT NULL,
  -- SHA-256 of method, route, path parameters and body.
  request_digest bytea NOT NULL CHECK (octet_length(request_digest) = 32),
  -- Tells two executions of the same request apart.
  execution_id uuid NOT NULL,
  -- What was created, where that has an id.
  object_id uuid,
  -- `data` of the answer, without secrets. A body has at most 64 KiB, and what is derived from it not much more.
  answer text CHECK (octet_length(answer) <= 262144),
  -- A key whose execution acts outside the database is held before its object is there. Real time.
  held_until timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (credential_id, key),
  CONSTRAINT idempotency_keys_held_or_answered CHECK ((answer IS NULL) <> (held_until IS NULL))
);
CREATE INDEX idempotency_keys_by_time ON platform.idempotency_keys (created_at);
