-- The books: the merchants' transactions, and the journal of double entries behind them.
-- The views and functions named public_… are the context's contract: other contexts read these, and no table.
-- The file is long because it holds the whole context, table by table.
CREATE SCHEMA ledger;

-- The public record of what happened to merchants' money. Amounts are in smallest units of an asset with `decimals` fraction digits. The upper bound, 2^256,
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
  -- Wider than one transfer's, since sums of transfers are posted as one amount.
  gross_amount numeric(96, 0) NOT NULL,
  net_amount numeric(96, 0) NOT NULL,
  expected_amount numeric(96, 0) NOT NULL,
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
  -- The settlement, refund, float top-up or float withdrawal that it is the record of.
  source_id uuid,
  CONSTRAINT transactions_amounts_in_range CHECK (
    abs(gross_amount) < 1e95 AND abs(net_amount) <= abs(gross_amount)
    AND abs(expected_amount) < 115792089237316195423570985008687907853269984665640564039457584007913129639936),
  -- Only an adjustment, which reverses a posting, has negative amounts.
  CONSTRAINT transactions_amounts_not_negative CHECK (
    type = 'adjustment' OR (gross_amount >= 0 AND net_amount >= 0 AND expected_amount >= 0)),
  -- An internal transfer has no known transaction, so its hash may be null.
  CONSTRAINT transactions_payment_in_complete CHECK (
    type <> 'payment_in' OR (status = 'completed' AND gross_amount > 0 AND payment_request_id IS NOT NULL
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL)),
  -- A deposit without a payment request is a float top-up.
  CONSTRAINT transactions_deposit_complete CHECK (
    type <> 'deposit' OR (status = 'completed' AND gross_amount > 0 AND expected_amount = gross_amount
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL
      AND (payment_request_id IS NOT NULL AND transfer_id IS NOT NULL AND source_id IS NULL
        OR payment_request_id IS NULL AND transfer_id IS NULL AND source_id IS NOT NULL
          AND net_amount = gross_amount))),
  -- Withdrawals and refunds are written while they are under way: later statuses are rows of ledger.status_changes.
  CONSTRAINT transactions_withdraw_complete CHECK (
    type <> 'withdraw' OR (status = 'processing' AND gross_amount > 0 AND expected_amount = gross_amount
      AND source_id IS NOT NULL AND payment_request_id IS NULL AND transfer_id IS NULL
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL)),
  CONSTRAINT transactions_refund_complete CHECK (
    type <> 'refund' OR (status = 'processing' AND gross_amount > 0 AND expected_amount = gross_amount
      AND net_amount = gross_amount AND source_id IS NOT NULL AND payment_request_id IS NOT NULL AND transfer_id IS NULL
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL)),
  CONSTRAINT transactions_source_of_type CHECK (source_id IS NULL OR type IN ('withdraw', 'refund', 'deposit')),
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
-- Everything but completed payments, which are many: a filter finds the few others here, or passes over them. A completed
-- payment has no entry.
CREATE INDEX transactions_exceptional_of_organization ON ledger.transactions (organization_id, organization_sequence)
  INCLUDE (type, status) WHERE type <> 'payment_in' OR status <> 'completed';
CREATE INDEX transactions_exceptional_of_account ON ledger.transactions (account_id, account_sequence)
  INCLUDE (type, status) WHERE type <> 'payment_in' OR status <> 'completed';
CREATE INDEX transactions_by_reference ON ledger.transactions (organization_id, reference_id, organization_sequence)
  WHERE reference_id IS NOT NULL;
CREATE UNIQUE INDEX transactions_once_for_source ON ledger.transactions (source_id) WHERE source_id IS NOT NULL;
-- The money at a payment request's addresses beside its payment_in, which has an index of its own.
CREATE INDEX transactions_beside_payment ON ledger.transactions (payment_request_id)
  WHERE type IN ('deposit', 'adjustment') AND payment_request_id IS NOT NULL;

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

-- Times of creation never fall from one number of a scope to the next, so a range of times is a range of numbers. Its
-- ends are found by halving, some twenty index look-ups among a million, and no posting pays for an index.
CREATE FUNCTION ledger.organization_sequence_before(organization uuid, last bigint, moment timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
  low bigint := 0;
  high bigint := last;
  middle bigint;
  time timestamptz;
BEGIN
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    SELECT created_at INTO time FROM ledger.transactions
    WHERE organization_id = organization AND organization_sequence = middle;
    IF time < moment THEN low := middle; ELSE high := middle - 1; END IF;
  END LOOP;
  RETURN low;
END $$;

CREATE FUNCTION ledger.account_sequence_before(account uuid, last bigint, moment timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
  low bigint := 0;
  high bigint := last;
  middle bigint;
  time timestamptz;
BEGIN
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    SELECT created_at INTO time FROM ledger.transactions
    WHERE account_id = account AND account_sequence = middle;
    IF time < moment THEN low := middle; ELSE high := middle - 1; END IF;
  END LOOP;
  RETURN low;
END $$;

-- The statuses of a transaction after its first. The sequence numbers are the transaction's: lists find the status by them.
CREATE TABLE ledger.status_changes (
  transaction_id uuid NOT NULL REFERENCES ledger.transactions (id),
  step smallint NOT NULL CHECK (step > 1),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  organization_sequence bigint NOT NULL CHECK (organization_sequence > 0),
  account_sequence bigint NOT NULL CHECK (account_sequence > 0),
  status text NOT NULL CHECK (status IN ('completed', 'failed')),
  at timestamptz NOT NULL,
  transaction_hash text,
  PRIMARY KEY (transaction_id, step)
);
CREATE UNIQUE INDEX status_changes_of_organization
  ON ledger.status_changes (organization_id, organization_sequence, step) INCLUDE (status);
CREATE UNIQUE INDEX status_changes_of_account
  ON ledger.status_changes (account_id, account_sequence, step) INCLUDE (status);
CREATE INDEX status_changes_failed ON ledger.status_changes (transaction_id) WHERE status = 'failed';
CREATE TRIGGER status_changes_append_only BEFORE UPDATE OR DELETE ON ledger.status_changes
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER status_changes_never_truncated BEFORE TRUNCATE ON ledger.status_changes
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- The journal. Debits are positive, credits negative. The foreign key is deferred because the entries of a transaction
-- are written before its record: the record's sequence numbers are taken last.
CREATE TABLE ledger.entries (
  transaction_id uuid NOT NULL REFERENCES ledger.transactions (id) DEFERRABLE INITIALLY DEFERRED,
  line smallint NOT NULL CHECK (line > 0),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  ledger_account text NOT NULL CHECK (ledger_account IN ('custody', 'in_flight', 'refund_float', 'fees_delivered',
    'merchant_payable', 'service_fees', 'rounding', 'gas_spent')),
  unique_asset_id text NOT NULL,
  amount numeric(96, 0) NOT NULL CHECK (amount <> 0 AND abs(amount) < 1e95),
  PRIMARY KEY (transaction_id, line)
);

-- The entries of each INSERT must balance, so that the whole journal always does. The trigger reads the new rows
-- only.
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
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE ON ledger.entries
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER entries_never_truncated BEFORE TRUNCATE ON ledger.entries
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- Sums of entries, so that a balance is one row. The type is wider than an entry's, so that sums of many fit.
CREATE TABLE ledger.balances (
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  ledger_account text NOT NULL CHECK (ledger_account IN ('custody', 'in_flight', 'refund_float', 'fees_delivered',
    'merchant_payable', 'service_fees', 'rounding', 'gas_spent')),
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

-- The transactions that a settlement delivered. A link counts until its settlement has failed.
CREATE TABLE ledger.settled_transactions (
  transaction_id uuid NOT NULL REFERENCES ledger.transactions (id),
  settlement_id uuid NOT NULL,
  -- The settlement's own transaction.
  withdrawal_id uuid NOT NULL REFERENCES ledger.transactions (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  PRIMARY KEY (transaction_id, settlement_id)
);
CREATE INDEX settled_transactions_of_withdrawal ON ledger.settled_transactions (withdrawal_id);
CREATE TRIGGER settled_transactions_append_only BEFORE UPDATE OR DELETE ON ledger.settled_transactions
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER settled_transactions_never_truncated BEFORE TRUNCATE ON ledger.settled_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- Payouts that took money before it was booked. `amount` is the part of the gross amount that no transaction stands for yet; it
-- is linked once it is booked, and 0 where the settlement has failed.
CREATE TABLE ledger.uncovered_payouts (
  withdrawal_id uuid NOT NULL REFERENCES ledger.transactions (id),
  settlement_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  payment_request_id uuid NOT NULL,
  -- The deposit address, in lower case.
  address text NOT NULL,
  unique_asset_id text NOT NULL,
  gross_amount numeric(96, 0) NOT NULL CHECK (gross_amount > 0 AND gross_amount < 1e95),
  fee_basis_points smallint NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 10000),
  amount numeric(96, 0) NOT NULL CHECK (amount BETWEEN 0 AND gross_amount),
  PRIMARY KEY (withdrawal_id, payment_request_id, address)
);
CREATE INDEX uncovered_payouts_of_request ON ledger.uncovered_payouts (payment_request_id) WHERE amount > 0;

-- The money that the ledger holds in custody, which the audit of a chain compares with balances.
CREATE VIEW ledger.public_custody AS
  SELECT unique_asset_id, sum(amount) AS amount FROM ledger.entries WHERE ledger_account = 'custody'
  GROUP BY unique_asset_id;

CREATE VIEW ledger.public_account_custody AS
  SELECT organization_id, account_id, unique_asset_id, amount FROM ledger.balances
  WHERE ledger_account = 'custody' AND amount <> 0;

CREATE VIEW ledger.public_transaction_records AS
  SELECT id, organization_id, payment_request_id, source_id, type, status, gross_amount, currency, decimals,
    transaction_hash, created_at
  FROM ledger.transactions;
