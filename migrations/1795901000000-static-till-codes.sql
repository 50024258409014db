-- What a physical point of sale offers at its till, and the public code that is printed there.
SET LOCAL lock_timeout = '3s';

ALTER TABLE point_of_sale.points_of_sale
  -- It never changes. Null: an online one, or a physical one that a process of the release before has made; see `UncodedPointsOfSale`.
  ADD COLUMN code text,
  -- Payers type the amount.
  ADD COLUMN open_amount boolean NOT NULL DEFAULT false,
  -- {"coinCode", "tipPercentages": [], "products": [{"name", "amount"}]}. Null: none is described.
  ADD COLUMN till jsonb,
  ADD CONSTRAINT points_of_sale_till_physical CHECK (type = 'physical'
    OR code IS NULL AND NOT open_amount AND till IS NULL) NOT VALID;

CREATE FUNCTION point_of_sale.keep_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a point of sale keeps its code';
END $$;
CREATE TRIGGER points_of_sale_code_kept BEFORE UPDATE OF code ON point_of_sale.points_of_sale FOR EACH ROW
  WHEN (OLD.code IS NOT NULL AND OLD.code IS DISTINCT FROM NEW.code)
  EXECUTE FUNCTION point_of_sale.keep_code();

-- True: a payer has opened it by the code and typed the amount. Null: the merchant, or a payment link.
ALTER TABLE payments.checkouts ADD COLUMN amount_by_payer boolean;
