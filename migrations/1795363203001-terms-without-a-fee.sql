-- Terms without a fee have no fee recipient: the zero address, as the forwarder factory wants them. They were stored with
-- the settlement address in its place, by which the factory refuses to settle (`InvalidTerms`).
SET LOCAL lock_timeout = '3s';

CREATE FUNCTION platform.no_fee_recipient() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.fee_recipient := '0x0000000000000000000000000000000000000000';
  RETURN NEW;
END $$;

-- Processes of the release before this one still write the settlement address, some of them from memory, until they are
-- restarted. The condition spares all others the call. To be dropped by a later release.
CREATE TRIGGER settlement_terms_no_fee_recipient BEFORE INSERT ON point_of_sale.settlement_terms FOR EACH ROW
  WHEN (NEW.fee_basis_points = 0 AND NEW.fee_recipient <> '0x0000000000000000000000000000000000000000')
  EXECUTE FUNCTION platform.no_fee_recipient();
CREATE TRIGGER deposit_addresses_no_fee_recipient BEFORE INSERT ON payments.deposit_addresses FOR EACH ROW
  WHEN (NEW.fee_basis_points = 0 AND NEW.fee_recipient <> '0x0000000000000000000000000000000000000000'
    AND NEW.fee_recipient ~ '^0x[0-9a-fA-F]{40}$')
  EXECUTE FUNCTION platform.no_fee_recipient();

-- No version moves: addresses of requests without a fee are the same by either spelling (the next migration says why).
ALTER TABLE point_of_sale.settlement_terms DISABLE TRIGGER settlement_terms_append_only;
UPDATE point_of_sale.settlement_terms SET fee_recipient = '0x0000000000000000000000000000000000000000'
WHERE fee_basis_points = 0 AND fee_recipient <> '0x0000000000000000000000000000000000000000';
ALTER TABLE point_of_sale.settlement_terms ENABLE TRIGGER settlement_terms_append_only;

ALTER TABLE point_of_sale.settlement_terms ADD CONSTRAINT settlement_terms_recipient_of_a_fee
  CHECK ((fee_basis_points = 0) = (fee_recipient = '0x0000000000000000000000000000000000000000'));
-- Families other than EVM spell nobody in another way.
ALTER TABLE payments.deposit_addresses ADD CONSTRAINT deposit_addresses_recipient_of_a_fee
  CHECK (fee_recipient !~ '^0x[0-9a-fA-F]{40}$'
    OR (fee_basis_points = 0) = (fee_recipient = '0x0000000000000000000000000000000000000000')) NOT VALID;
