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
