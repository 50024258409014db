SET LOCAL lock_timeout = '3s';

-- Finds references by their beginning in every collation, and also by equality, so it replaces the former index. The former index is
-- dropped last, because that also makes readers wait.
CREATE INDEX payment_requests_by_beginning_of_reference
  ON payments.payment_requests (point_of_sale_id, reference_id text_pattern_ops) WHERE reference_id IS NOT NULL;
DROP INDEX payments.payment_requests_by_reference;
