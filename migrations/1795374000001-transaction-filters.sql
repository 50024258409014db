-- Filters of the transaction list.
SET LOCAL lock_timeout = '3s';

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

-- All but completed payments: what a filter passes over among the many, or finds among the few. A payment has no entry.
CREATE INDEX transactions_exceptional_of_organization ON ledger.transactions (organization_id, organization_sequence)
  INCLUDE (type, status) WHERE type <> 'payment_in' OR status <> 'completed';
CREATE INDEX transactions_exceptional_of_account ON ledger.transactions (account_id, account_sequence)
  INCLUDE (type, status) WHERE type <> 'payment_in' OR status <> 'completed';
CREATE INDEX transactions_by_reference ON ledger.transactions (organization_id, reference_id, organization_sequence)
  WHERE reference_id IS NOT NULL;
