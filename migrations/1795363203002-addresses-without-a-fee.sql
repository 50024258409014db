-- An address must be settled by the terms that it was derived from, so only what it does not depend on can be corrected.
-- A forwarder without a fee carries its settlement address and its home chain id alone: its CREATE2 address is the same
-- whatever was stored as its fee recipient. So these rows re-derive to their addresses as before, and can now be settled.
-- Not touched, because addresses that were shown commit to it: the settlement address and the share of every row, and the
-- recipient of a row with a share. A settlement address that would be refused today stays where it was shown.
--
-- Apart from the migration before, so that only these rows are locked: some 20 s for a million of them, while requests are
-- created.
SET LOCAL lock_timeout = '3s';

UPDATE payments.deposit_addresses SET fee_recipient = '0x0000000000000000000000000000000000000000'
WHERE fee_basis_points = 0 AND fee_recipient <> '0x0000000000000000000000000000000000000000'
  AND fee_recipient ~ '^0x[0-9a-fA-F]{40}$';
ALTER TABLE payments.deposit_addresses VALIDATE CONSTRAINT deposit_addresses_recipient_of_a_fee;
