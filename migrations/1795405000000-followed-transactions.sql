-- Withdrawals and refunds in the books: transactions whose status follows a settlement or a refund, float top-ups, and which
-- settlement delivered which transaction.
SET LOCAL lock_timeout = '3s';

ALTER TABLE ledger.transactions
  -- The settlement, refund, float top-up or float withdrawal that it is the record of.
  ADD COLUMN source_id uuid,
  DROP CONSTRAINT transactions_deposit_complete,
  -- A deposit without a payment request is a float top-up.
  ADD CONSTRAINT transactions_deposit_complete CHECK (
    type <> 'deposit' OR (status = 'completed' AND gross_amount > 0 AND expected_amount = gross_amount
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL
      AND (payment_request_id IS NOT NULL AND transfer_id IS NOT NULL AND source_id IS NULL
        OR payment_request_id IS NULL AND transfer_id IS NULL AND source_id IS NOT NULL
          AND net_amount = gross_amount))) NOT VALID,
  -- Written while they are under way: later statuses are rows of ledger.status_changes.
  ADD CONSTRAINT transactions_withdraw_complete CHECK (
    type <> 'withdraw' OR (status = 'processing' AND gross_amount > 0 AND expected_amount = gross_amount
      AND source_id IS NOT NULL AND payment_request_id IS NULL AND transfer_id IS NULL
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT transactions_refund_complete CHECK (
    type <> 'refund' OR (status = 'processing' AND gross_amount > 0 AND expected_amount = gross_amount
      AND net_amount = gross_amount AND source_id IS NOT NULL AND payment_request_id IS NOT NULL AND transfer_id IS NULL
      AND network IS NOT NULL AND unique_asset_id IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT transactions_source_of_type CHECK (
    source_id IS NULL OR type IN ('withdraw', 'refund', 'deposit')) NOT VALID;
CREATE UNIQUE INDEX transactions_once_for_source ON ledger.transactions (source_id) WHERE source_id IS NOT NULL;
-- What lies at a payment request's addresses beside its payment_in, which has an index of its own.
CREATE INDEX transactions_beside_payment ON ledger.transactions (payment_request_id)
  WHERE type IN ('deposit', 'adjustment') AND payment_request_id IS NOT NULL;

ALTER TABLE ledger.entries
  DROP CONSTRAINT entries_ledger_account_check,
  ADD CONSTRAINT entries_ledger_account_check CHECK (ledger_account IN ('custody', 'in_flight', 'refund_float',
    'fees_delivered', 'merchant_payable', 'service_fees', 'rounding', 'gas_spent')) NOT VALID;
ALTER TABLE ledger.balances
  DROP CONSTRAINT balances_ledger_account_check,
  ADD CONSTRAINT balances_ledger_account_check CHECK (ledger_account IN ('custody', 'in_flight', 'refund_float',
    'fees_delivered', 'merchant_payable', 'service_fees', 'rounding', 'gas_spent')) NOT VALID;

-- Statuses of a transaction after its first. The numbers are the transaction's: lists find the status by them.
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

-- Which transactions a settlement delivered. A link counts until its settlement has failed.
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

-- Payouts that took money before it was booked. `amount` is what of the gross no transaction stands for yet: booked later, it
-- is linked; 0 also where the settlement has failed.
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

CREATE TRIGGER status_changes_append_only BEFORE UPDATE OR DELETE ON ledger.status_changes
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER status_changes_never_truncated BEFORE TRUNCATE ON ledger.status_changes
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER settled_transactions_append_only BEFORE UPDATE OR DELETE ON ledger.settled_transactions
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER settled_transactions_never_truncated BEFORE TRUNCATE ON ledger.settled_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
