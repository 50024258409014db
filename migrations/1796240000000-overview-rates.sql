SET LOCAL lock_timeout = '3s';

-- For the totals of the dashboard's overview.
CREATE VIEW ledger.public_book_currencies AS
  SELECT account_id, since, organization_id, currency FROM ledger.book_currencies;

CREATE VIEW ledger.public_recorded_rates AS
  SELECT symbol, currency, recorded_at, price, sources, at FROM ledger.recorded_rates;
