-- What waits at deposit addresses, and what was delivered of it. Amounts are in smallest units of an asset with `decimals`
-- fraction digits; the upper bound, 2^256, also refuses NaN, which PostgreSQL orders above every number.
SET LOCAL lock_timeout = '3s';

-- Of each address and asset what was booked less what was paid out. Below zero while a payout took money that is booked later.
CREATE TABLE settlement.waiting (
  network text NOT NULL,
  address text NOT NULL,
  -- Empty where the address is enough.
  tag text NOT NULL DEFAULT '',
  unique_asset_id text NOT NULL,
  payment_request_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  currency text NOT NULL,
  decimals smallint NOT NULL CONSTRAINT waiting_decimals_range CHECK (decimals BETWEEN 0 AND 255),
  -- Wider than one transfer's, so that sums of many fit.
  amount numeric(96) NOT NULL CONSTRAINT waiting_amount_range CHECK (amount <> 'NaN'),
  -- Null where nothing waits.
  waiting_since timestamptz,
  PRIMARY KEY (network, address, tag, unique_asset_id),
  CONSTRAINT waiting_since_something_waits CHECK ((waiting_since IS NOT NULL) = (amount > 0))
) WITH (fillfactor = 70);
CREATE INDEX waiting_oldest ON settlement.waiting (network, waiting_since, address) WHERE amount > 0;
CREATE INDEX waiting_of_account ON settlement.waiting (account_id, unique_asset_id) WHERE amount > 0;

-- What one transaction delivered of one account's money, in one asset, to one settlement address.
CREATE TABLE settlement.settlements (
  id uuid PRIMARY KEY,
  -- The payouts of one account in one transaction of one block: `payouts.seen`.
  payouts_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  network text NOT NULL,
  unique_asset_id text NOT NULL,
  currency text NOT NULL,
  decimals smallint NOT NULL CONSTRAINT settlements_decimals_range CHECK (decimals BETWEEN 0 AND 255),
  -- To the settlement address, and to the fee recipient.
  amount numeric(96) NOT NULL CONSTRAINT settlements_amount_range CHECK (amount >= 0 AND amount <> 'NaN'),
  fee_amount numeric(96) NOT NULL CONSTRAINT settlements_fee_range CHECK (fee_amount >= 0 AND fee_amount <> 'NaN'),
  settlement_address text NOT NULL,
  -- The contract that paid it out.
  paid_from text NOT NULL,
  transaction_hash text NOT NULL,
  payment_count integer NOT NULL CONSTRAINT settlements_payment_count_range CHECK (payment_count > 0),
  status text NOT NULL CONSTRAINT settlements_status CHECK (status IN ('processing', 'completed', 'failed')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL CONSTRAINT settlements_times_in_order CHECK (updated_at >= created_at),
  CONSTRAINT settlements_one_of_payouts UNIQUE (payouts_id, unique_asset_id, settlement_address)
);
CREATE INDEX settlements_of_account ON settlement.settlements (account_id, created_at DESC, id DESC);

-- What was delivered stays as it was recorded; what becomes of it follows the edges.
CREATE FUNCTION settlement.keep_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.payouts_id, OLD.organization_id, OLD.account_id, OLD.network, OLD.unique_asset_id, OLD.currency,
      OLD.decimals, OLD.amount, OLD.fee_amount, OLD.settlement_address, OLD.paid_from, OLD.transaction_hash,
      OLD.payment_count, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.payouts_id, NEW.organization_id, NEW.account_id, NEW.network, NEW.unique_asset_id,
      NEW.currency, NEW.decimals, NEW.amount, NEW.fee_amount, NEW.settlement_address, NEW.paid_from, NEW.transaction_hash,
      NEW.payment_count, NEW.created_at)
    OR NOT ((OLD.status = 'processing' AND NEW.status IN ('completed', 'failed'))
      OR (OLD.status = 'completed' AND NEW.status = 'failed')) THEN
    RAISE EXCEPTION 'a settlement changes in nothing but its status: processing, completed, failed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER settlements_kept BEFORE UPDATE ON settlement.settlements
  FOR EACH ROW EXECUTE FUNCTION settlement.keep_settlement();
CREATE TRIGGER settlements_never_deleted BEFORE DELETE ON settlement.settlements
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER settlements_never_emptied BEFORE TRUNCATE ON settlement.settlements
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- The deposit addresses that a settlement emptied of its asset.
CREATE TABLE settlement.settled_addresses (
  settlement_id uuid NOT NULL REFERENCES settlement.settlements,
  -- From 1: a transaction can pay out one address twice.
  number integer NOT NULL CONSTRAINT settled_addresses_number_range CHECK (number > 0),
  payment_request_id uuid NOT NULL,
  address text NOT NULL,
  to_settlement numeric(78) NOT NULL CONSTRAINT settled_addresses_amount_range
    CHECK (to_settlement >= 0 AND to_settlement < 2::numeric ^ 256),
  to_fee numeric(78) NOT NULL CONSTRAINT settled_addresses_fee_range CHECK (to_fee >= 0 AND to_fee < 2::numeric ^ 256),
  fee_basis_points integer NOT NULL CONSTRAINT settled_addresses_share_range CHECK (fee_basis_points BETWEEN 0 AND 10000),
  PRIMARY KEY (settlement_id, number)
);
CREATE INDEX settled_addresses_of_request ON settlement.settled_addresses (payment_request_id);
CREATE TRIGGER settled_addresses_append_only BEFORE UPDATE OR DELETE ON settlement.settled_addresses
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER settled_addresses_never_truncated BEFORE TRUNCATE ON settlement.settled_addresses
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- Parts of the context's contract: which settlements that stand have paid out addresses of a payment request.
CREATE VIEW settlement.public_settled_requests AS
  SELECT a.payment_request_id, s.id AS settlement_id, s.created_at
  FROM settlement.settled_addresses a JOIN settlement.settlements s ON s.id = a.settlement_id
  WHERE s.status <> 'failed';
