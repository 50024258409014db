-- Audits of the books against a chain: one a day for each network, in steps of which each stores where the next one goes on.
SET LOCAL lock_timeout = '3s';

CREATE TABLE payments.chain_audits (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  network text NOT NULL,
  began_at timestamptz NOT NULL,
  -- Null while it runs.
  ended_at timestamptz,
  -- At which balances are compared.
  block_number bigint NOT NULL CHECK (block_number >= 0),
  block_hash text NOT NULL,
  -- How many transfers are compared with receipts, null for all, and what draws them.
  transfers_wanted integer CHECK (transfers_wanted >= 0),
  seed text NOT NULL,
  stage text NOT NULL CHECK (stage IN ('addresses', 'transfers', 'tokens', 'custody', 'ended')),
  -- The last one of the stage that was audited; '' where it begins.
  position text NOT NULL,
  addresses integer NOT NULL CHECK (addresses >= 0),
  transfers integer NOT NULL CHECK (transfers >= 0),
  tokens integer NOT NULL CHECK (tokens >= 0),
  custody_tries integer NOT NULL CHECK (custody_tries >= 0),
  -- By asset: what the addresses hold and have paid out, in decimal strings.
  held jsonb NOT NULL CHECK (jsonb_typeof(held) = 'object'),
  findings jsonb NOT NULL CHECK (jsonb_typeof(findings) = 'array'),
  CONSTRAINT chain_audits_ended CHECK ((stage = 'ended') = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX chain_audits_running ON payments.chain_audits (network) WHERE ended_at IS NULL;
CREATE INDEX chain_audits_by_network ON payments.chain_audits (network, began_at DESC);

-- From when on a network's audits are expected; for a network that is read already, from this migration on.
ALTER TABLE payments.chain_cursors ADD COLUMN first_read_at timestamptz NOT NULL DEFAULT platform.now();

-- With what settling an address needs: an audit derives it anew by the factory that it was derived by.
CREATE OR REPLACE VIEW payments.known_addresses AS
  SELECT network, address, tag, payment_request_id, organization_id, account_id, settlement_terms_id, settlement_address,
    fee_recipient, fee_basis_points, derivation
  FROM payments.deposit_addresses
  UNION ALL
  SELECT DISTINCT a.network, a.address, a.tag, a.payment_request_id, (s.value ->> 'organization_id')::uuid,
    (s.value ->> 'account_id')::uuid, (v.value ->> 'settlement_terms_id')::uuid, v.value ->> 'settlement_address',
    v.value ->> 'fee_recipient', (v.value ->> 'fee_basis_points')::integer, v.value -> 'derivation'
  FROM payments.pruned_addresses a JOIN payments.pruned_values v ON v.id = a.terms_value
  JOIN payments.pruned_values s ON s.id = a.selection_value;
