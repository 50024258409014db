-- Lists of payment requests of a point of sale: by status, newest first, and by the merchant's own order id.
SET LOCAL lock_timeout = '3s';

-- Takes the place of the index of the open requests of a point of sale, which is a part of it: a creation writes as many
-- index entries as before.
DROP INDEX payments.payment_requests_open_on_point_of_sale;
CREATE INDEX payment_requests_of_point_of_sale
  ON payments.payment_requests (point_of_sale_id, status, created_at, id);
CREATE INDEX payment_requests_by_reference
  ON payments.payment_requests (point_of_sale_id, reference_id) WHERE reference_id IS NOT NULL;
