SET LOCAL lock_timeout = '3s';

-- The time of the money: of the block that brought it, or of the step of its source. Null in records of the release before.
-- `booked_for` is the first day of the month that the record belongs to, where that was closed when it was booked.
ALTER TABLE ledger.transactions ADD COLUMN occurred_at timestamptz, ADD COLUMN booked_for date;

-- The first day of the month in which a line stands. A line without one stands in the month of its transaction's `created_at`: a
-- release before wrote it. The default is for processes of that release: the current month is never closed.
ALTER TABLE ledger.entries ADD COLUMN period date, ADD COLUMN booked_for date;
ALTER TABLE ledger.entries
  ALTER COLUMN period SET DEFAULT date_trunc('month', platform.now() AT TIME ZONE 'UTC')::date;

-- Months before this one take no further line. On rows of organizations alone: each posting locks that row, and so does a close.
ALTER TABLE ledger.sequences ADD COLUMN closed_before date
  CONSTRAINT sequences_closed_before CHECK (closed_before IS NULL OR account_id IS NULL AND extract(day FROM closed_before) = 1);

CREATE FUNCTION ledger.refuse_entries_of_closed_periods() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE refused record;
BEGIN
  SELECT w.transaction_id, w.period INTO refused FROM written w
  LEFT JOIN ledger.sequences s ON s.scope_id = w.organization_id
  WHERE w.period < s.closed_before OR extract(day FROM w.period) <> 1 OR w.booked_for >= w.period LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'an entry of transaction % cannot stand in the period of %', refused.transaction_id, refused.period
      USING ERRCODE = 'check_violation', CONSTRAINT = 'entries_of_open_periods';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER entries_of_open_periods AFTER INSERT ON ledger.entries REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_entries_of_closed_periods();

-- The closed months of an organization. A row is removed when its month is opened again; the audit log has both acts.
CREATE TABLE ledger.closed_periods (
  organization_id uuid NOT NULL,
  period date NOT NULL CHECK (extract(day FROM period) = 1),
  closed_at timestamptz NOT NULL,
  closed_by text NOT NULL,
  -- The number of the organization's last record at the close: no later one has a line in the month.
  last bigint NOT NULL,
  -- True once the statements of the month are stored.
  is_stored boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, period)
);

-- The statements of closed months, one for each account and asset, in smallest units: what the service holds for the merchant.
-- Every amount is signed.
CREATE TABLE ledger.closed_statements (
  organization_id uuid NOT NULL,
  period date NOT NULL,
  account_id uuid NOT NULL,
  unique_asset_id text NOT NULL,
  currency text NOT NULL,
  decimals smallint NOT NULL,
  opening numeric(96, 0) NOT NULL,
  collected numeric(96, 0) NOT NULL,
  fees numeric(96, 0) NOT NULL,
  refunds numeric(96, 0) NOT NULL,
  settled numeric(96, 0) NOT NULL,
  other numeric(96, 0) NOT NULL,
  closing numeric(96, 0) NOT NULL,
  PRIMARY KEY (organization_id, period, account_id, unique_asset_id),
  FOREIGN KEY (organization_id, period) REFERENCES ledger.closed_periods ON DELETE CASCADE,
  CONSTRAINT closed_statements_add_up CHECK (closing = opening + collected + fees + refunds + settled + other)
);

-- The currency in which the books of an account are valued, from a time on; null: none.
CREATE TABLE ledger.book_currencies (
  account_id uuid NOT NULL,
  since timestamptz NOT NULL,
  organization_id uuid NOT NULL,
  currency text CHECK (currency ~ '^[A-Z]{3}$'),
  PRIMARY KEY (account_id, since)
);
CREATE INDEX book_currencies_of_organization ON ledger.book_currencies (organization_id);
CREATE TRIGGER book_currencies_append_only BEFORE UPDATE OR DELETE ON ledger.book_currencies
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER book_currencies_never_truncated BEFORE TRUNCATE ON ledger.book_currencies
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- The price of one whole unit of an asset in a currency, as it was known at a time. Money is valued by the last rate that was
-- recorded before it came, so a rate that is recorded later changes no value.
CREATE TABLE ledger.recorded_rates (
  symbol text NOT NULL,
  currency text NOT NULL,
  recorded_at timestamptz NOT NULL,
  price text NOT NULL CHECK (price ~ '^[0-9]{1,100}(\.[0-9]{1,100})?$'),
  sources text[] NOT NULL,
  -- Since when the sources knew it.
  at timestamptz NOT NULL,
  PRIMARY KEY (currency, symbol, recorded_at)
);
CREATE TRIGGER recorded_rates_append_only BEFORE UPDATE OR DELETE ON ledger.recorded_rates
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER recorded_rates_never_truncated BEFORE TRUNCATE ON ledger.recorded_rates
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- The rates that requests have locked, with the coin of their price.
CREATE VIEW payments.public_locked_rates AS
  SELECT s.payment_request_id, s.organization_id, s.unique_asset_id, c.coin_code, s.rate, s.rate_sources, s.rate_at
  FROM payments.selections s JOIN payments.checkouts c ON c.payment_request_id = s.payment_request_id
  WHERE s.rate IS NOT NULL;
