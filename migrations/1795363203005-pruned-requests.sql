-- Requests that nobody paid, removed after their retention. What remains is enough to make the request again, whole but for
-- its token, as soon as money comes to one of its addresses: its history and events, and the rows below.
SET LOCAL lock_timeout = '3s';

-- What pruned requests have in common, each value once: the price and merchant of a link, the terms of an address.
CREATE TABLE payments.pruned_values (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
  value jsonb NOT NULL
);
CREATE TRIGGER pruned_values_append_only BEFORE UPDATE OR DELETE ON payments.pruned_values
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER pruned_values_never_truncated BEFORE TRUNCATE ON payments.pruned_values
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

CREATE TABLE payments.pruned_requests (
  id uuid PRIMARY KEY,
  session_id text NOT NULL,
  -- The columns of its request and of its checkout that are not here.
  request_value bigint NOT NULL REFERENCES payments.pruned_values (id),
  checkout_value bigint NOT NULL REFERENCES payments.pruned_values (id),
  amount payments.amount,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  counts_until timestamptz NOT NULL,
  pruned_at timestamptz NOT NULL
);

-- Every address that was shown for it, once for each asset: watched on, and settled by its terms whenever money comes.
CREATE TABLE payments.pruned_addresses (
  network text NOT NULL,
  address text NOT NULL CHECK (address <> ''),
  tag text NOT NULL DEFAULT '',
  payment_request_id uuid NOT NULL REFERENCES payments.pruned_requests (id),
  -- The columns of its selection, and of its deposit address, that are not here.
  selection_value bigint NOT NULL REFERENCES payments.pruned_values (id),
  terms_value bigint NOT NULL REFERENCES payments.pruned_values (id),
  amount payments.amount NOT NULL,
  rate text,
  rate_at timestamptz,
  selected_at timestamptz NOT NULL
);
CREATE INDEX pruned_addresses_by_address ON payments.pruned_addresses (network, address, tag);
CREATE UNIQUE INDEX pruned_addresses_of_request ON payments.pruned_addresses (payment_request_id, selection_value);

-- All requests, whether pruned or not, for what compares them with the event log.
CREATE VIEW payments.known_requests AS
  SELECT id, organization_id, account_id, point_of_sale_id, reference_id FROM payments.payment_requests
  UNION ALL
  SELECT p.id, (v.value ->> 'organization_id')::uuid, (v.value ->> 'account_id')::uuid,
    (v.value ->> 'point_of_sale_id')::uuid, v.value ->> 'reference_id'
  FROM payments.pruned_requests p JOIN payments.pruned_values v ON v.id = p.request_value;

-- All deposit addresses, likewise.
CREATE VIEW payments.known_addresses AS
  SELECT network, address, tag, payment_request_id, organization_id, account_id, settlement_terms_id, settlement_address,
    fee_recipient, fee_basis_points
  FROM payments.deposit_addresses
  UNION ALL
  SELECT DISTINCT a.network, a.address, a.tag, a.payment_request_id, (s.value ->> 'organization_id')::uuid,
    (s.value ->> 'account_id')::uuid, (v.value ->> 'settlement_terms_id')::uuid, v.value ->> 'settlement_address',
    v.value ->> 'fee_recipient', (v.value ->> 'fee_basis_points')::integer
  FROM payments.pruned_addresses a JOIN payments.pruned_values v ON v.id = a.terms_value
  JOIN payments.pruned_values s ON s.id = a.selection_value;

-- A history stays when its request is pruned. The invariant `histories-have-their-request` takes the constraint's place.
ALTER TABLE payments.status_history DROP CONSTRAINT status_history_payment_request_id_fkey;
