-- Validation reads the whole tables, so it stands apart from what locks them. Writers continue meanwhile.
SET LOCAL lock_timeout = '3s';

ALTER TABLE point_of_sale.points_of_sale VALIDATE CONSTRAINT points_of_sale_checkout_first;
ALTER TABLE payments.checkouts VALIDATE CONSTRAINT checkouts_checkout_first;
