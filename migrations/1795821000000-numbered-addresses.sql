SET LOCAL lock_timeout = '3s';

-- The sequences of numbered addresses. Terms that name the same addresses, however they are written, share one row. The creation that
-- takes a number holds the row until it commits, or is undone and the number with it: no number is left out, none is used twice.
CREATE TABLE payments.address_numbers (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  network text NOT NULL,
  -- The answer of the network's family for the terms.
  numbering text NOT NULL CHECK (numbering <> ''),
  organization_id uuid NOT NULL,
  next_number integer NOT NULL CHECK (next_number > 0),
  CONSTRAINT address_numbers_of_terms UNIQUE (network, numbering)
) WITH (fillfactor = 50);
CREATE FUNCTION payments.refuse_number_again() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'numbering % goes on from %', OLD.id, OLD.next_number USING ERRCODE = 'check_violation'; END $$;
CREATE TRIGGER address_numbers_go_on BEFORE UPDATE ON payments.address_numbers FOR EACH ROW
  WHEN ((NEW.id, NEW.network, NEW.numbering, NEW.organization_id, NEW.next_number)
    IS DISTINCT FROM (OLD.id, OLD.network, OLD.numbering, OLD.organization_id, OLD.next_number + 1))
  EXECUTE FUNCTION payments.refuse_number_again();
CREATE TRIGGER address_numbers_never_deleted BEFORE DELETE ON payments.address_numbers
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER address_numbers_never_emptied BEFORE TRUNCATE ON payments.address_numbers
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- The place of an address in its sequence; null where the family numbers none. No foreign key: each address of the other families would
-- pay for its trigger, and no row of `address_numbers` is ever removed. What arrives at a `delivered` address is the merchant's at once.
ALTER TABLE payments.deposit_addresses
  ADD COLUMN numbering_id integer,
  ADD COLUMN number integer,
  ADD COLUMN delivered boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT deposit_addresses_numbered CHECK (num_nulls(numbering_id, number) IN (0, 2) AND number >= 0) NOT VALID;
-- `delivered` is among the terms of a pruned address.
ALTER TABLE payments.pruned_addresses
  ADD COLUMN numbering_id integer,
  ADD COLUMN number integer,
  ADD CONSTRAINT pruned_addresses_numbered CHECK (num_nulls(numbering_id, number) IN (0, 2) AND number >= 0) NOT VALID;

CREATE OR REPLACE VIEW payments.known_addresses AS
  SELECT network, address, tag, payment_request_id, organization_id, account_id, settlement_terms_id, settlement_address,
    fee_recipient, fee_basis_points, derivation, number, delivered
  FROM payments.deposit_addresses
  UNION ALL
  SELECT DISTINCT a.network, a.address, a.tag, a.payment_request_id, (s.value ->> 'organization_id')::uuid,
    (s.value ->> 'account_id')::uuid, (v.value ->> 'settlement_terms_id')::uuid, v.value ->> 'settlement_address',
    v.value ->> 'fee_recipient', (v.value ->> 'fee_basis_points')::integer, v.value -> 'derivation', a.number,
    COALESCE((v.value ->> 'delivered')::boolean, false)
  FROM payments.pruned_addresses a JOIN payments.pruned_values v ON v.id = a.terms_value
  JOIN payments.pruned_values s ON s.id = a.selection_value;

CREATE OR REPLACE VIEW payments.public_known_addresses AS
  SELECT network, address, tag, payment_request_id, organization_id, account_id, derivation, settlement_terms_id,
    settlement_address, fee_recipient, fee_basis_points, number, delivered
  FROM payments.known_addresses;

-- Terms name what their network's family pays out to: an address, or the descriptor of a wallet. Families other than EVM spell nobody
-- in another way, Bitcoin as nothing, and a fee names somebody.
ALTER TABLE point_of_sale.settlement_terms
  DROP CONSTRAINT settlement_terms_settlement_address_check,
  DROP CONSTRAINT settlement_terms_fee_recipient_check,
  DROP CONSTRAINT settlement_terms_recipient_of_a_fee,
  ADD CONSTRAINT settlement_terms_settlement_address CHECK (settlement_address <> '') NOT VALID,
  ADD CONSTRAINT settlement_terms_recipient_of_a_fee CHECK (fee_recipient !~ '^0x[0-9a-fA-F]{40}$'
    OR (fee_basis_points = 0) = (fee_recipient = '0x0000000000000000000000000000000000000000')) NOT VALID,
  ADD CONSTRAINT settlement_terms_fee_has_recipient CHECK (fee_basis_points = 0 OR fee_recipient <> '') NOT VALID;

-- The keys of merchants' wallets that terms have named, each for the organization that was first: two that share one would show the
-- same addresses to payers.
CREATE TABLE point_of_sale.wallet_keys (
  network text NOT NULL,
  key text NOT NULL CHECK (key <> ''),
  organization_id uuid NOT NULL,
  PRIMARY KEY (network, key)
);
CREATE TRIGGER wallet_keys_append_only BEFORE UPDATE OR DELETE ON point_of_sale.wallet_keys
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER wallet_keys_never_truncated BEFORE TRUNCATE ON point_of_sale.wallet_keys
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
