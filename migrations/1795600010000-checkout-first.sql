-- The hosted page shows it first: the address for any wallet, or the payment code.
ALTER TABLE point_of_sale.points_of_sale
  ADD COLUMN checkout_first text NOT NULL DEFAULT 'address' CHECK (checkout_first IN ('address', 'code'));

-- Null: the address. Requests that were pruned before this column, and writers of the release before, leave it out.
ALTER TABLE payments.checkouts
  ADD COLUMN checkout_first text CHECK (checkout_first IN ('address', 'code'));
