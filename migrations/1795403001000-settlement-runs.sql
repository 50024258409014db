-- What settlement sends. Amounts are in smallest units.
SET LOCAL lock_timeout = '3s';

-- A call that pays out a batch of deposit addresses, stored before it is sent; its id is that of the sender's order.
CREATE TABLE settlement.batches (
  id uuid PRIMARY KEY,
  network text NOT NULL,
  -- The account that sends it.
  sender text NOT NULL,
  recipient text NOT NULL,
  data bytea NOT NULL,
  gas_limit bigint NOT NULL CONSTRAINT batches_gas_range CHECK (gas_limit > 0),
  payout_count integer NOT NULL CONSTRAINT batches_payout_count_range CHECK (payout_count > 0),
  -- `delivered`: in a block that may still disappear. `abandoned`: never given to the sender.
  state text NOT NULL CONSTRAINT batches_state
    CHECK (state IN ('chosen', 'sent', 'delivered', 'final', 'reverted', 'foreign', 'abandoned')),
  transaction_hash text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL CONSTRAINT batches_times_in_order CHECK (updated_at >= created_at),
  CONSTRAINT batches_mined_by CHECK (state NOT IN ('delivered', 'final', 'reverted') OR transaction_hash IS NOT NULL)
);
CREATE UNIQUE INDEX batches_one_in_flight ON settlement.batches (network, sender) WHERE state IN ('chosen', 'sent');
CREATE INDEX batches_open ON settlement.batches (network, created_at) WHERE state IN ('chosen', 'sent', 'delivered');
CREATE INDEX batches_newest ON settlement.batches (network, created_at DESC);

-- The call of a batch never becomes another one, and what has ended stays so.
CREATE FUNCTION settlement.keep_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.network, OLD.sender, OLD.recipient, OLD.data, OLD.gas_limit, OLD.payout_count, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.network, NEW.sender, NEW.recipient, NEW.data, NEW.gas_limit, NEW.payout_count, NEW.created_at)
    OR OLD.state IN ('final', 'reverted', 'foreign', 'abandoned') THEN
    RAISE EXCEPTION 'the call of a batch never changes, and a batch that has ended stays as it is';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER batches_kept BEFORE UPDATE ON settlement.batches
  FOR EACH ROW EXECUTE FUNCTION settlement.keep_batch();
CREATE TRIGGER batches_never_deleted BEFORE DELETE ON settlement.batches
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER batches_never_emptied BEFORE TRUNCATE ON settlement.batches
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

CREATE TABLE settlement.batch_payouts (
  batch_id uuid NOT NULL REFERENCES settlement.batches,
  number integer NOT NULL CONSTRAINT batch_payouts_number_range CHECK (number > 0),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  payment_request_id uuid NOT NULL,
  address text NOT NULL,
  unique_asset_id text NOT NULL,
  to_settlement numeric(78) NOT NULL CONSTRAINT batch_payouts_amount_range
    CHECK (to_settlement >= 0 AND to_settlement < 2::numeric ^ 256),
  to_fee numeric(78) NOT NULL CONSTRAINT batch_payouts_fee_range CHECK (to_fee >= 0 AND to_fee < 2::numeric ^ 256),
  PRIMARY KEY (batch_id, number),
  CONSTRAINT batch_payouts_once UNIQUE (batch_id, address, unique_asset_id)
);
CREATE TRIGGER batch_payouts_append_only BEFORE UPDATE OR DELETE ON settlement.batch_payouts
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER batch_payouts_never_truncated BEFORE TRUNCATE ON settlement.batch_payouts
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- What a simulation did not show as it was planned; planned again from `retry_at` on.
CREATE TABLE settlement.set_aside (
  network text NOT NULL,
  address text NOT NULL,
  unique_asset_id text NOT NULL,
  reason text NOT NULL CONSTRAINT set_aside_reason CHECK (reason <> ''),
  -- A sentence for the operator.
  says text NOT NULL,
  since timestamptz NOT NULL,
  times integer NOT NULL CONSTRAINT set_aside_times_range CHECK (times > 0),
  retry_at timestamptz NOT NULL,
  PRIMARY KEY (network, address, unique_asset_id)
);

CREATE INDEX settlements_by_transaction ON settlement.settlements (network, transaction_hash);
