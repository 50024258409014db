-- The chains that were met, and the calls that the service's keys send.
-- The views and functions named public_… are the context's contract: other contexts read these, and no table.
CREATE SCHEMA networks;

-- The chain of each network, recorded at first contact. A node that serves another chain later is refused. No chain is
-- collected under two network names: each transfer would count twice.
CREATE TABLE networks.known_chains (
  network text PRIMARY KEY CHECK (network ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
  chain_id bigint NOT NULL CHECK (chain_id > 0),
  genesis_hash text NOT NULL CHECK (genesis_hash <> ''),
  first_seen_at timestamptz NOT NULL DEFAULT platform.now(),
  UNIQUE (genesis_hash, chain_id)
);
CREATE TRIGGER known_chains_unchanged BEFORE UPDATE ON networks.known_chains
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();

-- The calls that the service's keys send: one row for each nonce of a key.
CREATE TABLE networks.sendings (
  id uuid PRIMARY KEY,
  network text NOT NULL,
  sender text NOT NULL CONSTRAINT sendings_sender_spelling CHECK (sender ~ '^0x[0-9a-f]{40}$'),
  nonce bigint NOT NULL CONSTRAINT sendings_nonce_range CHECK (nonce >= 0),
  recipient text NOT NULL CONSTRAINT sendings_recipient_spelling CHECK (recipient ~ '^0x[0-9a-f]{40}$'),
  data bytea NOT NULL,
  -- Native coin, in its smallest unit, as all amounts here.
  value numeric(78) NOT NULL CONSTRAINT sendings_value_range CHECK (value >= 0 AND value < 2::numeric ^ 256),
  gas_limit bigint NOT NULL CONSTRAINT sendings_gas_range CHECK (gas_limit > 0),
  -- The highest price of one unit of gas.
  fee_ceiling numeric(78) NOT NULL CONSTRAINT sendings_fee_range CHECK (fee_ceiling > 0 AND fee_ceiling < 2::numeric ^ 256),
  purpose text NOT NULL CONSTRAINT sendings_purpose CHECK (purpose <> ''),
  state text NOT NULL DEFAULT 'reserved' CONSTRAINT sendings_state
    CHECK (state IN
    ('reserved', 'signed', 'broadcast', 'mined', 'final', 'reverted', 'foreign', 'cancelled')),
  -- The number of rows in networks.sending_attempts.
  attempts integer NOT NULL DEFAULT 0,
  mined_hash text,
  mined_block bigint,
  mined_succeeded boolean,
  -- What the endpoints answered to the newest broadcast.
  response text,
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  updated_at timestamptz NOT NULL DEFAULT platform.now(),
  -- The name of the key that sends.
  key text NOT NULL CONSTRAINT sendings_key CHECK (key <> ''),
  -- Gas and a rollup's data, in the smallest unit of the native coin; null where the receipt said no price.
  gas_cost numeric(78) CONSTRAINT sendings_gas_cost_range CHECK (gas_cost >= 0 AND gas_cost < 2::numeric ^ 256),
  -- The transaction that used the nonce of a foreign sending; null where the nonce was released.
  used_by text CONSTRAINT sendings_used_by CHECK (used_by ~ '^0x[0-9a-f]{64}$'),
  -- The sending was taken up from the chain, since a restored database had no row of it.
  adopted boolean NOT NULL DEFAULT false,
  -- Another transaction may use a nonce before anything is signed for it.
  CONSTRAINT sendings_signed_by_attempts CHECK (attempts = 0 AND state = 'foreign'
    OR (state = 'reserved') = (attempts = 0)),
  CONSTRAINT sendings_mined_whole CHECK ((mined_hash IS NULL) = (mined_block IS NULL)
    AND (mined_hash IS NULL) = (mined_succeeded IS NULL)
    AND (mined_hash IS NOT NULL) = (state IN ('mined', 'final', 'reverted', 'cancelled'))),
  CONSTRAINT sendings_cost_of_mined CHECK (gas_cost IS NULL OR mined_hash IS NOT NULL),
  CONSTRAINT sendings_outcome CHECK (state NOT IN ('final', 'reverted', 'cancelled')
    OR mined_succeeded = (state = 'final'))
);
CREATE INDEX sendings_unfinished ON networks.sendings (network, sender, nonce)
  WHERE state NOT IN ('final', 'reverted', 'foreign');
-- The nonce of a foreign sending is that of another one too, once the transaction that used it is stored.
CREATE UNIQUE INDEX sendings_nonce_once ON networks.sendings (network, sender, nonce) WHERE state <> 'foreign';
CREATE INDEX sendings_foreign ON networks.sendings (network, sender, nonce) WHERE state = 'foreign';

CREATE FUNCTION networks.keep_sending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.network, OLD.sender, OLD.nonce, OLD.recipient, OLD.data, OLD.value, OLD.gas_limit, OLD.fee_ceiling,
      OLD.purpose, OLD.key, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.network, NEW.sender, NEW.nonce, NEW.recipient, NEW.data, NEW.value, NEW.gas_limit,
      NEW.fee_ceiling, NEW.purpose, NEW.key, NEW.created_at)
    OR OLD.state IN ('final', 'reverted', 'foreign', 'cancelled') OR NEW.attempts < OLD.attempts THEN
    RAISE EXCEPTION 'the call of a sending never changes, and a finished sending stays as it is';
  END IF;
  -- An attempt that cancels must never be taken for the call.
  IF NEW.state IN ('final', 'reverted', 'cancelled') AND (NEW.state = 'cancelled') <> COALESCE((SELECT cancels
      FROM networks.sending_attempts WHERE sending_id = NEW.id AND hash = NEW.mined_hash), false) THEN
    RAISE EXCEPTION 'a sending is cancelled exactly where the attempt that was mined is one that cancels';
  END IF;
  RETURN NEW;
END $$;
-- The insert of a sending says whether it was taken up, and no update changes that.
CREATE FUNCTION networks.keep_adopted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a sending keeps whether it was taken up from the chain';
END $$;
CREATE TRIGGER sendings_kept BEFORE UPDATE ON networks.sendings
  FOR EACH ROW EXECUTE FUNCTION networks.keep_sending();
CREATE TRIGGER sendings_never_deleted BEFORE DELETE ON networks.sendings
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER sendings_never_emptied BEFORE TRUNCATE ON networks.sendings
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER sendings_keep_adopted BEFORE UPDATE ON networks.sendings FOR EACH ROW
  WHEN (OLD.adopted IS DISTINCT FROM NEW.adopted) EXECUTE FUNCTION networks.keep_adopted();

-- Signed transactions. They are stored before they are sent to any node.
CREATE TABLE networks.sending_attempts (
  sending_id uuid NOT NULL REFERENCES networks.sendings,
  -- Attempts are counted from 1.
  number integer NOT NULL CONSTRAINT sending_attempts_number_range CHECK (number > 0),
  network text NOT NULL,
  hash text NOT NULL CONSTRAINT sending_attempts_hash_spelling CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  raw bytea NOT NULL,
  max_fee numeric(78) NOT NULL CONSTRAINT sending_attempts_fee_range CHECK (max_fee >= 0 AND max_fee < 2::numeric ^ 256),
  -- Null on a network without EIP-1559.
  priority_fee numeric(78) CONSTRAINT sending_attempts_priority_range CHECK (priority_fee BETWEEN 0 AND max_fee),
  created_at timestamptz NOT NULL DEFAULT platform.now(),
  -- The newest block of the network when the attempt was signed: how long it waits is counted in blocks. Null where the
  -- attempt was found on the chain.
  head_block bigint CONSTRAINT sending_attempts_head_range CHECK (head_block >= 0),
  -- The attempt uses the nonce up in place of the call.
  cancels boolean NOT NULL DEFAULT false,
  PRIMARY KEY (sending_id, number),
  CONSTRAINT sending_attempts_hash_once UNIQUE (network, hash)
);
CREATE TRIGGER sending_attempts_append_only BEFORE UPDATE OR DELETE ON networks.sending_attempts
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER sending_attempts_never_truncated BEFORE TRUNCATE ON networks.sending_attempts
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- Contexts that order sendings compare them with their orders.
CREATE VIEW networks.public_sendings AS
  SELECT id, network, sender, key, purpose, recipient, data, value, gas_limit, state, mined_hash, mined_block, gas_cost,
    adopted
  FROM networks.sendings;
