SET LOCAL lock_timeout = '3s';

-- The hosted page shows it first: the address for any wallet, or the payment code.
ALTER TABLE point_of_sale.points_of_sale
  ADD COLUMN checkout_first text NOT NULL DEFAULT 'address',
  ADD CONSTRAINT points_of_sale_checkout_first CHECK (checkout_first IN ('address', 'code')) NOT VALID;

-- Null: the address. Requests that were pruned before this column, and writers of the release before, leave it out.
ALTER TABLE payments.checkouts
  ADD COLUMN checkout_first text,
  ADD CONSTRAINT checkouts_checkout_first CHECK (checkout_first IN ('address', 'code')) NOT VALID;
