-- Reads each table once, without holding writers up.
SET LOCAL lock_timeout = '3s';

ALTER TABLE payments.deposit_addresses VALIDATE CONSTRAINT deposit_addresses_numbered;
ALTER TABLE payments.pruned_addresses VALIDATE CONSTRAINT pruned_addresses_numbered;
ALTER TABLE point_of_sale.settlement_terms VALIDATE CONSTRAINT settlement_terms_settlement_address;
ALTER TABLE point_of_sale.settlement_terms VALIDATE CONSTRAINT settlement_terms_recipient_of_a_fee;
ALTER TABLE point_of_sale.settlement_terms VALIDATE CONSTRAINT settlement_terms_fee_has_recipient;

-- Last, since they keep writers of deposit addresses waiting: both have no entry yet.
CREATE UNIQUE INDEX pruned_addresses_by_number ON payments.pruned_addresses (numbering_id, number) WHERE numbering_id IS NOT NULL;
CREATE UNIQUE INDEX deposit_addresses_by_number ON payments.deposit_addresses (numbering_id, number) WHERE numbering_id IS NOT NULL;
