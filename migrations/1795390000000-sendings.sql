-- Calls that the service's keys send: one for each nonce of a key, and each attempt to have it mined.
SET LOCAL lock_timeout = '3s';

CREATE TABLE networks.sendings (
  id uuid PRIMARY KEY,
  network text NOT NULL,
  sender text NOT NULL CONSTRAINT sendings_sender_spelling CHECK (sender ~ '^0x[0-9a-f]{40}$'),
  nonce bigint NOT NULL CONSTRAINT sendings_nonce_range CHECK (nonce >= 0),
  recipient text NOT NULL CONSTRAINT sendings_recipient_spelling CHECK (recipient ~ '^0x[0-9a-f]{40}$'),
  data bytea NOT NULL,
  -- Of the native coin, in its smallest unit, as all amounts here.
  value numeric(78) NOT NULL CONSTRAINT sendings_value_range CHECK (value >= 0 AND value < 2::numeric ^ 256),
  gas_limit bigint NOT NULL CONSTRAINT sendings_gas_range CHECK (gas_limit > 0),
  -- For one unit of gas.
  fee_ceiling numeric(78) NOT NULL CONSTRAINT sendings_fee_range CHECK (fee_ceiling > 0 AND fee_ceiling < 2::numeric ^ 256),
  purpose text NOT NULL CONSTRAINT sendings_purpose CHECK (purpose <> ''),
  state text NOT NULL DEFAULT 'reserved' CONSTRAINT sendings_state
    CHECK (state IN ('reserved', 'signed', 'broadcast', 'mined', 'final', 'reverted', 'foreign')),
  -- How many are in networks.sending_attempts.
  attempts integer NOT NULL DEFAULT 0,
  mined_hash text,
  mined_block bigint,
  mined_succeeded boolean,
  -- Of the endpoints, to the newest broadcast.
  response text,
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  updated_at timestamptz NOT NULL DEFAULT platform.now(),
  CONSTRAINT sendings_nonce_once UNIQUE (network, sender, nonce),
  CONSTRAINT sendings_signed_by_attempts CHECK ((state = 'reserved') = (attempts = 0)),
  CONSTRAINT sendings_mined_whole CHECK ((mined_hash IS NULL) = (mined_block IS NULL)
    AND (mined_hash IS NULL) = (mined_succeeded IS NULL)
    AND (mined_hash IS NOT NULL) = (state IN ('mined', 'final', 'reverted'))),
  CONSTRAINT sendings_outcome CHECK (state NOT IN ('final', 'reverted') OR mined_succeeded = (state = 'final'))
);
CREATE INDEX sendings_unfinished ON networks.sendings (network, sender, nonce)
  WHERE state NOT IN ('final', 'reverted', 'foreign');

-- The call of a nonce never becomes another one, and what is finished stays so.
CREATE FUNCTION networks.keep_sending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.network, OLD.sender, OLD.nonce, OLD.recipient, OLD.data, OLD.value, OLD.gas_limit, OLD.fee_ceiling,
      OLD.purpose, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.network, NEW.sender, NEW.nonce, NEW.recipient, NEW.data, NEW.value, NEW.gas_limit,
      NEW.fee_ceiling, NEW.purpose, NEW.created_at)
    OR OLD.state IN ('final', 'reverted', 'foreign') OR NEW.attempts < OLD.attempts THEN
    RAISE EXCEPTION 'the call of a sending never changes, and a finished sending stays as it is';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER sendings_kept BEFORE UPDATE ON networks.sendings
  FOR EACH ROW EXECUTE FUNCTION networks.keep_sending();
CREATE TRIGGER sendings_never_deleted BEFORE DELETE ON networks.sendings
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER sendings_never_emptied BEFORE TRUNCATE ON networks.sendings
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- Signed transactions, stored before any node is given them.
CREATE TABLE networks.sending_attempts (
  sending_id uuid NOT NULL REFERENCES networks.sendings,
  -- From 1.
  number integer NOT NULL CONSTRAINT sending_attempts_number_range CHECK (number > 0),
  network text NOT NULL,
  hash text NOT NULL CONSTRAINT sending_attempts_hash_spelling CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  raw bytea NOT NULL,
  max_fee numeric(78) NOT NULL CONSTRAINT sending_attempts_fee_range CHECK (max_fee >= 0 AND max_fee < 2::numeric ^ 256),
  -- Null on a network without EIP-1559.
  priority_fee numeric(78) CONSTRAINT sending_attempts_priority_range CHECK (priority_fee BETWEEN 0 AND max_fee),
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  PRIMARY KEY (sending_id, number),
  CONSTRAINT sending_attempts_hash_once UNIQUE (network, hash)
);
CREATE TRIGGER sending_attempts_append_only BEFORE UPDATE OR DELETE ON networks.sending_attempts
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER sending_attempts_never_truncated BEFORE TRUNCATE ON networks.sending_attempts
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
