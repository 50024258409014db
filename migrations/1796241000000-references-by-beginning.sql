SET LOCAL lock_timeout = '3s';

-- Finds references by their beginning in every collation, and by equality, so the former index is not needed. Dropping it makes
-- readers wait, so it comes last.
CREATE INDEX payment_requests_by_beginning_of_reference
  ON payments.payment_requests (point_of_sale_id, reference_id text_pattern_ops) WHERE reference_id IS NOT NULL;
DROP INDEX payments.payment_requests_by_reference;
