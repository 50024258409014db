CREATE SCHEMA ledger;

-- The public record. Amounts are in smallest units of an asset with `decimals` fraction digits. The upper bound, 2^256,
-- also refuses NaN, which PostgreSQL orders above every number.
CREATE TABLE ledger.transactions (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  organization_sequence bigint NOT NULL CHECK (organization_sequence > 0),
  account_sequence bigint NOT NULL CHECK (account_sequence > 0),
  type text NOT NULL CHECK (type IN
    ('payment_in', 'payment_out', 'deposit', 'withdraw', 'refund', 'adjustment', 'swap', 'dry_run')),
  status text NOT NULL CHECK (status IN
    ('preview', 'pending', 'created', 'processing', 'completed', 'failed', 'error', 'expired')),
  gross_amount numeric(78, 0) NOT NULL,
  net_amount numeric(78, 0) NOT NULL,
  expected_amount numeric(78, 0) NOT NULL,
  decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 255),
  currency text NOT NULL,
  network text,
  unique_asset_id text,
  account_external_id text,
  from_address text NOT NULL,
  from_type text NOT NULL CHECK (from_type IN ('wallet', 'vault', 'settlement_address')),
  to_address text NOT NULL,
  to_type text NOT NULL CHECK (to_type IN ('wallet', 'vault', 'settlement_address')),
  financial_provider text NOT NULL CHECK (financial_provider IN ('onchain')),
  transaction_hash text,
  payment_request_id uuid,
  -- The transfer that a deposit posts, or that an adjustment reverses.
  transfer_id uuid,
  reference_id text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT transactions_amounts_in_range CHECK (
    abs(gross_amount) < 115792089237316195423570985008687907853269984665640564039457584007913129639936
    AND abs(net_amount) <= abs(gross_amount)
    AND abs(expected_amount) < 115792089237316195423570985008687907853269984665640564039457584007913129639936),
  -- Only an adjustment, which reverses a posting, has negative amounts.
  CONSTRAINT transactions_amounts_not_negative CHECK (
    type = 'adjustment' OR (gross_amount >= 0 AND net_amount >= 0 AND expected_amount >= 0)),
  -- An internal transfer has no known transaction, so its hash may be null.
  CONSTRAINT transactions_payment_in_complete CHECK (
    type <> 'payment_in' OR (status = 'completed' AND gross_amount > 0 AND payment_request_id IS NOT NULL
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL)),
  CONSTRAINT transactions_deposit_complete CHECK (
    type <> 'deposit' OR (status = 'completed' AND gross_amount > 0 AND expected_amount = gross_amount
      AND payment_request_id IS NOT NULL AND transfer_id IS NOT NULL
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL)),
  CONSTRAINT transactions_adjustment_complete CHECK (
    type <> 'adjustment' OR (status = 'completed' AND gross_amount < 0 AND net_amount <= 0
      AND payment_request_id IS NOT NULL AND transfer_id IS NOT NULL
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL)),
  CONSTRAINT transactions_times_in_order CHECK (updated_at >= created_at)
);
CREATE UNIQUE INDEX transactions_of_organization ON ledger.transactions (organization_id, organization_sequence);
CREATE UNIQUE INDEX transactions_of_account ON ledger.transactions (account_id, account_sequence);
CREATE UNIQUE INDEX transactions_one_payment_in ON ledger.transactions (payment_request_id)
  WHERE type = 'payment_in';
CREATE UNIQUE INDEX transactions_once_for_transfer ON ledger.transactions (transfer_id, type)
  WHERE transfer_id IS NOT NULL;

-- The journal. Debits are positive, credits negative. The foreign key is deferred because the entries of a transaction
-- are written before its record: the record's sequence numbers are taken last.
CREATE TABLE ledger.entries (
  transaction_id uuid NOT NULL REFERENCES ledger.transactions (id) DEFERRABLE INITIALLY DEFERRED,
  line smallint NOT NULL CHECK (line > 0),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  ledger_account text NOT NULL CHECK (ledger_account IN ('custody', 'merchant_payable', 'service_fees')),
  unique_asset_id text NOT NULL,
  amount numeric(78, 0) NOT NULL CHECK (amount <> 0 AND
    abs(amount) < 115792089237316195423570985008687907853269984665640564039457584007913129639936),
  PRIMARY KEY (transaction_id, line)
);

-- Sums of entries, so that a balance is one row. The type is wider than an entry's, so that sums of many fit.
CREATE TABLE ledger.balances (
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  ledger_account text NOT NULL CHECK (ledger_account IN ('custody', 'merchant_payable', 'service_fees')),
  unique_asset_id text NOT NULL,
  amount numeric(96, 0) NOT NULL CHECK (amount <> 'NaN'),
  PRIMARY KEY (account_id, ledger_account, unique_asset_id)
) WITH (fillfactor = 50);

-- The last sequence number of each organization and each account, which is also the number of its transactions. The lock
-- of the row makes numbers gapless and times monotonic.
CREATE TABLE ledger.sequences (
  scope_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid,
  last bigint NOT NULL CHECK (last > 0),
  last_created_at timestamptz NOT NULL,
  CONSTRAINT sequences_scope CHECK (scope_id = COALESCE(account_id, organization_id))
) WITH (fillfactor = 50);

-- The entries of each INSERT must balance, so that the whole journal always does. Reads the new rows only.
CREATE FUNCTION ledger.refuse_unbalanced_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE unbalanced uuid;
BEGIN
  SELECT transaction_id INTO unbalanced FROM written
  GROUP BY transaction_id, unique_asset_id HAVING sum(amount) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the entries of transaction % do not sum to zero', unbalanced
      USING ERRCODE = 'check_violation', CONSTRAINT = 'entries_balance';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER entries_balance AFTER INSERT ON ledger.entries REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_unbalanced_entries();

CREATE FUNCTION ledger.refuse_transactions_without_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE bare uuid;
BEGIN
  SELECT id INTO bare FROM written
  WHERE status = 'completed' AND type <> 'dry_run'
    AND NOT EXISTS (SELECT 1 FROM ledger.entries e WHERE e.transaction_id = written.id) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'transaction % is completed without journal entries', bare
      USING ERRCODE = 'check_violation', CONSTRAINT = 'transactions_have_entries';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER transactions_have_entries AFTER INSERT ON ledger.transactions REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_transactions_without_entries();

CREATE TRIGGER transactions_append_only BEFORE UPDATE OR DELETE ON ledger.transactions
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER transactions_never_truncated BEFORE TRUNCATE ON ledger.transactions
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE ON ledger.entries
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER entries_never_truncated BEFORE TRUNCATE ON ledger.entries
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
