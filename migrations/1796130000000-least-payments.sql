-- The least payment of the asset when the request was created: a smaller sum is no payment. A request with a checkout has it in
-- each of its selections. Null: created by an earlier release, for which any sum was one.
SET LOCAL lock_timeout = '3s';

ALTER TABLE payments.payment_requests ADD COLUMN minimum_amount numeric(78, 0);
