-- Payment requests and their deposit addresses, checkouts and payment links, the transfers that pay them, how far each chain
-- has been read, and what remains of pruned requests.
-- The views and functions named public_… are the context's contract: other contexts read these, and no table.
-- The file is long because it holds the whole context, table by table.
CREATE SCHEMA payments;

CREATE DOMAIN payments.amount AS numeric(78, 0)
  -- NaN sorts above every number, so the upper bound refuses it too.
  CHECK (VALUE >= 0 AND VALUE < 115792089237316195423570985008687907853269984665640564039457584007913129639936);

-- Wider than one amount, so that no number of transfers makes a sum fail.
CREATE DOMAIN payments.sum AS numeric(96, 0) CHECK (VALUE >= 0 AND VALUE <> 'NaN');

CREATE TABLE payments.payment_requests (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  point_of_sale_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('fixed')),
  status text NOT NULL CHECK (status IN
    ('pending', 'created', 'processing', 'completed', 'underpaid', 'overpaid', 'expired', 'failed')),
  -- Network, asset and amount are null while a checkout waits for the payer to select an asset.
  network text,
  unique_asset_id text,
  currency text,
  decimals smallint CHECK (decimals BETWEEN 0 AND 77),
  amount payments.amount CHECK (amount > 0),
  -- The sum of the counted transfers, final or not.
  received_amount payments.sum NOT NULL DEFAULT 0,
  reference_id text,
  "order" jsonb,
  -- The payment token as the payer was shown it.
  token text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- expires_at and the network's inclusion grace: the last block timestamp that counts.
  counts_until timestamptz NOT NULL,
  confirmed_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  -- The block that decided the outcome: counted transfers in later blocks are no part of it. Null: all of them are part.
  outcome_block bigint,
  -- The version with which the sums were stored last. Another one than the row's: the request was parked, so they are added up
  -- from the transfers again.
  sums_at_version integer NOT NULL DEFAULT 1,
  -- The request has ended, and transfers are still marked as counted that are no part of its outcome.
  uncounting boolean NOT NULL DEFAULT false,
  CONSTRAINT payment_requests_expire_after_creation CHECK (expires_at >= created_at),
  CONSTRAINT payment_requests_count_until_expiry CHECK (counts_until >= expires_at),
  CONSTRAINT payment_requests_confirmed_with_outcome
    CHECK ((confirmed_at IS NOT NULL) = (status IN ('completed', 'underpaid', 'overpaid'))),
  CONSTRAINT payment_requests_selection_complete
    CHECK (num_nonnulls(network, unique_asset_id, currency, decimals, amount) IN (0, 5)),
  CONSTRAINT payment_requests_pending_until_selected
    CHECK ((network IS NULL AND status IN ('pending', 'expired', 'failed'))
      OR (network IS NOT NULL AND status <> 'pending'))
);
-- The open requests that a network's watcher ends once it has read past their deadline.
CREATE INDEX payment_requests_open_by_deadline ON payments.payment_requests (network, status, counts_until)
  WHERE status IN ('created', 'processing');
-- Requests without a network expire by the clock alone.
CREATE INDEX payment_requests_pending_by_expiry ON payments.payment_requests (expires_at) WHERE status = 'pending';
CREATE INDEX payment_requests_uncounting ON payments.payment_requests (id) WHERE uncounting;
CREATE INDEX payment_requests_of_point_of_sale
  ON payments.payment_requests (point_of_sale_id, status, created_at, id);
CREATE INDEX payment_requests_by_reference
  ON payments.payment_requests (point_of_sale_id, reference_id) WHERE reference_id IS NOT NULL;

CREATE TABLE payments.status_history (
  -- No foreign key: a history stays when its request is pruned. The invariant `histories-have-their-request` holds it.
  payment_request_id uuid NOT NULL,
  step smallint NOT NULL CHECK (step >= 1),
  status text NOT NULL CHECK (status IN
    ('pending', 'created', 'processing', 'completed', 'underpaid', 'overpaid', 'confirmed', 'expired', 'failed')),
  at timestamptz NOT NULL,
  PRIMARY KEY (payment_request_id, step)
);
CREATE TRIGGER status_history_append_only BEFORE UPDATE OR DELETE ON payments.status_history
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER status_history_never_truncated BEFORE TRUNCATE ON payments.status_history
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- The deposit addresses that were shown for requests. Each stays watched for ever.
CREATE TABLE payments.deposit_addresses (
  network text NOT NULL,
  -- The address has the one spelling by which transfers are matched; on EVM networks lower-case hexadecimal.
  address text NOT NULL CHECK (address <> ''),
  -- A memo tells the requests of one address apart; empty where the address is enough.
  tag text NOT NULL DEFAULT '',
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  unique_asset_id text NOT NULL,
  -- The input of the address's derivation, which only the network's family reads. Settlement needs it at any later time, and
  -- the terms below.
  derivation jsonb NOT NULL,
  settlement_terms_id uuid NOT NULL,
  settlement_address text NOT NULL,
  fee_recipient text NOT NULL,
  fee_basis_points integer NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 10000),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (network, address, tag),
  -- The factory refuses to settle by terms without a fee that name a recipient. Families other than EVM spell
  -- nobody in another way.
  CONSTRAINT deposit_addresses_recipient_of_a_fee CHECK (fee_recipient !~ '^0x[0-9a-fA-F]{40}$'
    OR (fee_basis_points = 0) = (fee_recipient = '0x0000000000000000000000000000000000000000'))
);
CREATE INDEX deposit_addresses_of_request ON payments.deposit_addresses (payment_request_id);

CREATE TABLE payments.payment_links (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  point_of_sale_id uuid NOT NULL,
  code text NOT NULL UNIQUE CHECK (code ~ '^[A-Za-z0-9_-]{12,64}$'),
  -- The price: a decimal string in whole units of the coin.
  amount text NOT NULL CHECK (amount ~ '^[0-9]{1,80}(\.[0-9]{1,80})?$'),
  coin_code text NOT NULL,
  "order" jsonb,
  return_url text,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL
);
CREATE INDEX payment_links_of_point_of_sale ON payments.payment_links (point_of_sale_id, id DESC);
CREATE INDEX payment_links_of_organization ON payments.payment_links (organization_id, id DESC);

-- A payment request that is paid through a hosted page, or by a wallet that asks for the payment.
CREATE TABLE payments.checkouts (
  payment_request_id uuid PRIMARY KEY REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- The id is enough to read and pay the checkout, so it is random and never derived.
  session_id text NOT NULL UNIQUE CHECK (session_id ~ '^[A-Za-z0-9_-]{32}$'),
  amount text NOT NULL CHECK (amount ~ '^[0-9]{1,80}(\.[0-9]{1,80})?$'),
  coin_code text NOT NULL,
  -- Unique asset ids that the payer may select from, as they were at creation.
  payment_options text[] NOT NULL CHECK (cardinality(payment_options) >= 1),
  merchant jsonb NOT NULL,
  return_url text,
  frame_origins text[] NOT NULL DEFAULT '{}',
  payment_link_id uuid REFERENCES payments.payment_links (id),
  created_at timestamptz NOT NULL
);
CREATE INDEX checkouts_of_payment_link ON payments.checkouts (payment_link_id) WHERE payment_link_id IS NOT NULL;

-- Every asset that was selected for a checkout, with the address shown and the rate locked at the first selection. The
-- request has a copy of the last selection, or of the one that was paid.
CREATE TABLE payments.selections (
  payment_request_id uuid NOT NULL REFERENCES payments.checkouts (payment_request_id),
  unique_asset_id text NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  network text NOT NULL,
  currency text NOT NULL,
  decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 77),
  amount payments.amount NOT NULL CHECK (amount > 0),
  inclusion_grace_seconds integer NOT NULL CHECK (inclusion_grace_seconds >= 0),
  address text NOT NULL,
  tag text NOT NULL DEFAULT '',
  -- Price of one unit of the asset in the checkout's coin; null where both are the same coin.
  rate text CHECK (rate ~ '^[0-9]{1,100}(\.[0-9]{1,100})?$'),
  rate_sources text[],
  rate_at timestamptz,
  selected_at timestamptz NOT NULL,
  -- The least payment of the asset when it was selected: less than this leaves the choice open.
  minimum_amount payments.amount NOT NULL DEFAULT 1,
  PRIMARY KEY (payment_request_id, unique_asset_id),
  FOREIGN KEY (network, address, tag) REFERENCES payments.deposit_addresses (network, address, tag),
  CONSTRAINT selections_rate_complete CHECK (num_nonnulls(rate, rate_sources, rate_at) IN (0, 3))
);

-- The request that a payer's browser has for a payment link. The cookie itself is not stored.
CREATE TABLE payments.payment_link_sessions (
  payment_link_id uuid NOT NULL REFERENCES payments.payment_links (id),
  cookie_digest bytea NOT NULL CHECK (length(cookie_digest) = 32),
  payment_request_id uuid NOT NULL REFERENCES payments.checkouts (payment_request_id),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (payment_link_id, cookie_digest)
);
-- Pruning finds the sessions of a request by it.
CREATE INDEX payment_link_sessions_of_request ON payments.payment_link_sessions (payment_request_id);

-- One row for each session that a payment link has opened, until it is decided what becomes of it. The rows count the open
-- sessions of a link and of an address, and lead to those that nobody paid once their retention is over.
CREATE TABLE payments.link_openings (
  payment_request_id uuid PRIMARY KEY,
  payment_link_id uuid NOT NULL,
  -- SHA-256 of the payer's address, or of the /64 of an IPv6 one, cut to 16 bytes; null where it is not known.
  source bytea CHECK (length(source) = 16),
  -- The time up to which a payment counts.
  open_until timestamptz NOT NULL,
  -- The time of the next look whether it is to be pruned.
  due_at timestamptz NOT NULL
);
CREATE INDEX link_openings_of_link ON payments.link_openings (payment_link_id, open_until);
CREATE INDEX link_openings_of_source ON payments.link_openings (source, open_until) WHERE source IS NOT NULL;
CREATE INDEX link_openings_due ON payments.link_openings (due_at);

-- Value that arrived at deposit addresses.
CREATE TABLE payments.transfers (
  id uuid PRIMARY KEY,
  network text NOT NULL,
  -- log: an ERC-20 Transfer event; call: native value of a transaction; balance: an internal transfer of native value,
  -- found by the balance of the address.
  kind text NOT NULL CHECK (kind IN ('log', 'call', 'balance')),
  -- Null for an internal transfer: a balance does not say which transaction changed it.
  transaction_hash text CHECK (transaction_hash <> ''),
  index integer NOT NULL CHECK (index >= 0),
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  block_time timestamptz NOT NULL,
  unique_asset_id text NOT NULL,
  -- Symbol and decimals of the asset, and the required confirmations, are those of the time of reading: asset and network may
  -- leave the configuration later.
  currency text NOT NULL,
  decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 77),
  required_confirmations integer NOT NULL CHECK (required_confirmations >= 1),
  from_address text NOT NULL,
  to_address text NOT NULL,
  -- The tag of the deposit address.
  to_tag text NOT NULL DEFAULT '',
  amount payments.amount NOT NULL CHECK (amount > 0),
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- False once a reorganisation removed its block.
  canonical boolean NOT NULL DEFAULT true,
  -- Counted transfers came in time and in an asset that was selected; see the comment on the column below.
  counted boolean NOT NULL,
  final boolean NOT NULL DEFAULT false,
  -- The amount is so large that a second endpoint must confirm the transfer before it becomes final.
  awaits_cross_check boolean NOT NULL DEFAULT false,
  detected_at timestamptz NOT NULL,
  -- The time when the final transfer was posted as a deposit, because it is not part of what its request received.
  deposited_at timestamptz,
  -- The time when an adjustment reversed the posting of a final transfer, because the transfer disappeared from the chain.
  reversed_at timestamptz,
  -- The UTC day of its block, where the amount was below the minimum of its asset when it was read. As a deposit it is posted
  -- together with the others of that day, so that nobody fills the ledger with postings of next to nothing: anyone can send any
  -- number of transfers to an address. Null: it is posted by itself.
  gathered_on date,
  -- The transfer that names the gathered deposit which this one is part of. Null: it is no deposit, or one by itself.
  deposit_id uuid,
  CONSTRAINT transfers_transaction_hash_unless_balance CHECK ((transaction_hash IS NULL) = (kind = 'balance')),
  CONSTRAINT transfers_counted_are_canonical CHECK (canonical OR NOT counted),
  CONSTRAINT transfers_cross_checked_before_final CHECK (NOT (awaits_cross_check AND final)),
  CONSTRAINT transfers_deposits_are_final CHECK (deposited_at IS NULL OR final),
  CONSTRAINT transfers_deposits_not_counted CHECK (deposited_at IS NULL OR NOT counted),
  CONSTRAINT transfers_reversed_not_canonical CHECK (reversed_at IS NULL OR NOT canonical),
  CONSTRAINT transfers_gathered_are_deposits CHECK (deposit_id IS NULL OR deposited_at IS NOT NULL),
  CONSTRAINT transfers_gathered_have_a_day CHECK (deposit_id IS NULL OR gathered_on IS NOT NULL)
);
COMMENT ON COLUMN payments.transfers.counted IS
  'Part of the sum of the selection that it pays. Part of the outcome where that is the selected one and the block is not above outcome_block.';
CREATE UNIQUE INDEX transfers_unique_by_transaction ON payments.transfers (network, kind, transaction_hash, index)
  WHERE canonical;
CREATE UNIQUE INDEX transfers_unique_balance_by_block ON payments.transfers (network, block_hash, to_address)
  WHERE canonical AND kind = 'balance';
CREATE INDEX transfers_by_block ON payments.transfers (network, block_number) WHERE canonical;
-- The transfers that are due to be posted as deposits: final, and the request has ended. They are few at any time.
CREATE INDEX transfers_to_post ON payments.transfers (network, payment_request_id)
  WHERE canonical AND final AND NOT counted AND deposited_at IS NULL;
CREATE INDEX transfers_reversed ON payments.transfers (payment_request_id) WHERE reversed_at IS NOT NULL;
-- The two queues of the cross-check, by the evidence that each needs, in an order that a watcher can continue from. A
-- payer can make them long, so they must not be sorted in each turn. The index has the text of the id: for the id itself
-- PostgreSQL may choose the primary key and read every transfer ever recorded.
CREATE INDEX transfers_to_cross_check_by_balance ON payments.transfers (network, (id::text COLLATE "C"))
  WHERE canonical AND awaits_cross_check AND kind = 'balance';
CREATE INDEX transfers_to_cross_check_by_receipt ON payments.transfers (network, (id::text COLLATE "C"))
  WHERE canonical AND awaits_cross_check AND kind <> 'balance';
CREATE INDEX transfers_counted ON payments.transfers (payment_request_id, unique_asset_id, block_number) WHERE counted;
-- The lowest block of a request that cannot be added up for good yet.
CREATE INDEX transfers_counted_not_final ON payments.transfers (payment_request_id, network, block_number)
  WHERE counted AND NOT final;
CREATE INDEX transfers_of_request ON payments.transfers (payment_request_id, block_number);
CREATE INDEX transfers_posted_of_request ON payments.transfers (payment_request_id, block_number)
  WHERE deposited_at IS NOT NULL OR reversed_at IS NOT NULL;
CREATE INDEX transfers_not_final ON payments.transfers (network, block_number, id)
  WHERE canonical AND NOT final AND NOT awaits_cross_check;
-- The final transfers of a request that are to be posted as deposits: those posted by themselves, and each day's.
CREATE INDEX transfers_to_post_by_day ON payments.transfers
  (payment_request_id, gathered_on, network, unique_asset_id, block_number)
  WHERE canonical AND final AND NOT counted AND deposited_at IS NULL;
CREATE INDEX transfers_by_deposit ON payments.transfers (deposit_id) WHERE deposit_id IS NOT NULL;

-- What was sent in time to each selection of a payment request, kept beside its transfers so that no turn of a watcher adds
-- them up again: anyone can send any number of transfers to an address.
CREATE TABLE payments.received_sums (
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  unique_asset_id text NOT NULL,
  network text NOT NULL,
  -- The sum of the counted transfers, final or not.
  seen_amount payments.sum NOT NULL,
  -- The sum of those in blocks up to final_to, all of which are final.
  final_amount payments.sum NOT NULL,
  -- -1 where there is no such block yet.
  final_to bigint NOT NULL CHECK (final_to >= -1),
  PRIMARY KEY (payment_request_id, unique_asset_id),
  CONSTRAINT received_sums_final_was_seen CHECK (final_amount <= seen_amount)
);

-- Adds up the transfers of open requests anew, after they were parked. The caller has locked the requests.
CREATE FUNCTION payments.add_up_transfers(requests uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- What arrived while a request was parked was recorded without being counted.
  WITH asked AS (
    SELECT r.id, s.network, s.unique_asset_id, s.address, s.tag,
      r.expires_at + make_interval(secs => s.inclusion_grace_seconds) AS until
    FROM payments.payment_requests r JOIN payments.selections s ON s.payment_request_id = r.id
    WHERE r.id = ANY(requests) AND r.status IN ('created', 'processing')
    UNION ALL
    SELECT r.id, r.network, r.unique_asset_id, a.address, a.tag, r.counts_until
    FROM payments.payment_requests r JOIN payments.deposit_addresses a ON a.payment_request_id = r.id
    WHERE r.id = ANY(requests) AND r.status IN ('created', 'processing') AND a.network = r.network
      AND NOT EXISTS (SELECT FROM payments.checkouts c WHERE c.payment_request_id = r.id)
  )
  UPDATE payments.transfers t SET counted = true
  FROM asked
  WHERE t.payment_request_id = asked.id
    AND (t.network, t.unique_asset_id, t.to_address, t.to_tag)
      = (asked.network, asked.unique_asset_id, asked.address, asked.tag)
    AND t.canonical AND NOT t.counted AND t.deposited_at IS NULL AND t.block_time <= asked.until;

  DELETE FROM payments.received_sums WHERE payment_request_id = ANY(requests);
  WITH open AS (
    SELECT id FROM payments.payment_requests WHERE id = ANY(requests) AND status IN ('created', 'processing')
  ), bound AS (
    SELECT t.payment_request_id, t.network, min(t.block_number) AS first
    FROM payments.transfers t JOIN open ON open.id = t.payment_request_id
    WHERE t.counted AND NOT t.final GROUP BY 1, 2
  ), added AS (
    SELECT t.payment_request_id, t.unique_asset_id, t.network, sum(t.amount) AS seen,
      COALESCE(sum(t.amount) FILTER (WHERE t.final AND t.block_number < COALESCE(b.first, t.block_number + 1)), 0) AS final,
      COALESCE(b.first - 1, max(t.block_number)) AS final_to
    FROM payments.transfers t JOIN open ON open.id = t.payment_request_id
    LEFT JOIN bound b ON b.payment_request_id = t.payment_request_id AND b.network = t.network
    WHERE t.counted GROUP BY 1, 2, 3, b.first
  ), paid AS (
    -- The block in which the sum reaches the amount decides these, so they are added up block by block.
    SELECT a.payment_request_id FROM added a JOIN payments.payment_requests r ON r.id = a.payment_request_id
    LEFT JOIN payments.selections s
      ON s.payment_request_id = a.payment_request_id AND s.unique_asset_id = a.unique_asset_id
    WHERE a.final >= COALESCE(s.amount, r.amount)
  )
  INSERT INTO payments.received_sums (payment_request_id, unique_asset_id, network, seen_amount, final_amount, final_to)
  SELECT payment_request_id, unique_asset_id, network, seen,
    CASE WHEN payment_request_id IN (SELECT * FROM paid) THEN 0 ELSE final END,
    CASE WHEN payment_request_id IN (SELECT * FROM paid) THEN -1 ELSE GREATEST(final_to, -1) END
  FROM added;

  UPDATE payments.payment_requests SET sums_at_version = version WHERE id = ANY(requests);
END $$;

-- Payment requests that could not be judged: each waits alone, and every other request of its network goes on.
CREATE TABLE payments.parked_requests (
  payment_request_id uuid PRIMARY KEY REFERENCES payments.payment_requests (id),
  reason text NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT platform.now(),
  -- An operator has asked for it to be judged again.
  retry boolean NOT NULL DEFAULT false,
  -- Counted transfers that disappeared from the chain while it was parked.
  lost_transfers uuid[] NOT NULL DEFAULT '{}'
);
CREATE INDEX parked_requests_to_retry ON payments.parked_requests (payment_request_id) WHERE retry;

-- The block up to which each network has been read. Only compare-and-set changes it.
CREATE TABLE payments.chain_cursors (
  network text PRIMARY KEY,
  head_number bigint NOT NULL,
  head_hash text NOT NULL,
  head_time timestamptz NOT NULL,
  -- The newest block read that can no longer disappear; null before there is one.
  final_number bigint,
  final_time timestamptz,
  -- A sentence on how a second endpoint contradicts the first, and since when. Nothing becomes final meanwhile.
  disagreement text,
  disagrees_since timestamptz,
  -- The configured time by which the head may lag behind the clock, and for which endpoints may disagree, before new requests
  -- are refused.
  max_lag_seconds integer CHECK (max_lag_seconds > 0),
  -- The balance sweep reads the native balance of every deposit address, in the order of addresses: these are
  -- the last address read, and the time when the sweep began. The address is null where the next sweep has not begun.
  balances_swept_to text,
  balance_sweep_began_at timestamptz,
  -- The time of the newest block at which the balances of the open native requests were compared with recorded transfers.
  balances_compared_at timestamptz,
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The network's audits are expected from then on.
  first_read_at timestamptz NOT NULL DEFAULT platform.now(),
  CONSTRAINT chain_cursors_final_not_above_head CHECK (final_number <= head_number),
  CONSTRAINT chain_cursors_final_complete CHECK ((final_number IS NULL) = (final_time IS NULL)),
  CONSTRAINT chain_cursors_disagreement_complete CHECK (num_nonnulls(disagreement, disagrees_since) IN (0, 2))
);

-- The blocks that were read, back to the depth at which a reorganisation is looked for.
CREATE TABLE payments.blocks (
  network text NOT NULL,
  number bigint NOT NULL,
  hash text NOT NULL,
  parent_hash text NOT NULL,
  time timestamptz NOT NULL,
  PRIMARY KEY (network, number)
);

-- Addresses whose native balance the watcher is asked to compare in its next turns, before they are settled.
CREATE TABLE payments.balance_looks (
  network text NOT NULL,
  address text NOT NULL,
  -- Null once it was compared; the next one to ask sets it again.
  asked_at timestamptz,
  -- The time of the last comparison.
  compared_at timestamptz,
  PRIMARY KEY (network, address),
  CONSTRAINT balance_looks_asked_or_compared CHECK (num_nonnulls(asked_at, compared_at) >= 1)
);
-- The index has few entries at any time.
CREATE INDEX balance_looks_to_compare ON payments.balance_looks (network, asked_at, address) WHERE asked_at IS NOT NULL;
CREATE INDEX balance_looks_compared ON payments.balance_looks (compared_at) WHERE asked_at IS NULL;

-- What deposit addresses paid out: one row for each `Settled` log of a known factory for a catalogued asset, whoever had it
-- emitted. Settlement's records are made from these.
CREATE TABLE payments.payouts (
  id uuid PRIMARY KEY,
  -- The payouts of one account's addresses by one contract, in one transaction of one block: the aggregate of their events.
  group_id uuid NOT NULL,
  network text NOT NULL,
  transaction_hash text NOT NULL CHECK (transaction_hash <> ''),
  log_index integer NOT NULL CHECK (log_index >= 0),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  block_hash text NOT NULL CHECK (block_hash <> ''),
  block_time timestamptz NOT NULL,
  -- The contract that paid it out.
  from_address text NOT NULL,
  address text NOT NULL,
  tag text NOT NULL DEFAULT '',
  unique_asset_id text NOT NULL,
  -- Symbol and decimals are those of the time of reading.
  currency text NOT NULL,
  decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 77),
  to_settlement payments.amount NOT NULL,
  to_fee payments.amount NOT NULL,
  -- No foreign key: a pruned request may be paid out, if money came to it that has not been noticed yet.
  payment_request_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- False once a reorganisation removed its block, or a second reading did not show it like this.
  canonical boolean NOT NULL DEFAULT true,
  -- A payout that is not canonical any more keeps whether it was final.
  final boolean NOT NULL DEFAULT false,
  CONSTRAINT payouts_not_of_nothing CHECK (to_settlement > 0 OR to_fee > 0)
);
CREATE UNIQUE INDEX payouts_unique_by_log ON payments.payouts (network, transaction_hash, log_index) WHERE canonical;
CREATE INDEX payouts_of_group ON payments.payouts (group_id);
CREATE INDEX payouts_of_address ON payments.payouts (network, address);
CREATE INDEX payouts_of_request ON payments.payouts (payment_request_id);
CREATE INDEX payouts_by_block ON payments.payouts (network, block_number) WHERE canonical;
CREATE INDEX payouts_not_final ON payments.payouts (network, block_number) WHERE canonical AND NOT final;

-- Addresses that must not be settled until an operator has decided: a credit of theirs was reversed.
CREATE TABLE payments.settlement_holds (
  id uuid PRIMARY KEY,
  network text NOT NULL,
  address text NOT NULL,
  tag text NOT NULL DEFAULT '',
  payment_request_id uuid NOT NULL REFERENCES payments.payment_requests (id),
  organization_id uuid NOT NULL,
  account_id uuid NOT NULL,
  transfer_id uuid NOT NULL UNIQUE REFERENCES payments.transfers (id),
  held_at timestamptz NOT NULL,
  -- The release: its time, its operator and the reason.
  released_at timestamptz,
  released_by text,
  release_reason text,
  FOREIGN KEY (network, address, tag) REFERENCES payments.deposit_addresses (network, address, tag),
  CONSTRAINT settlement_holds_release_complete CHECK (num_nonnulls(released_at, released_by, release_reason) IN (0, 3))
);
CREATE INDEX settlement_holds_open ON payments.settlement_holds (network, address, tag) WHERE released_at IS NULL;

-- Audits of the books against a chain: one a day for each network, in steps. Each step stores where the next one goes on.
CREATE TABLE payments.chain_audits (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  network text NOT NULL,
  began_at timestamptz NOT NULL,
  -- Null while the audit runs.
  ended_at timestamptz,
  -- Balances are compared at this block.
  block_number bigint NOT NULL CHECK (block_number >= 0),
  block_hash text NOT NULL,
  -- The number of transfers that are compared with receipts, null for all, and the seed that draws them.
  transfers_wanted integer CHECK (transfers_wanted >= 0),
  seed text NOT NULL,
  stage text NOT NULL CHECK (stage IN ('addresses', 'transfers', 'tokens', 'custody', 'ended')),
  -- The last one of the stage that was audited; '' where it begins.
  position text NOT NULL,
  addresses integer NOT NULL CHECK (addresses >= 0),
  transfers integer NOT NULL CHECK (transfers >= 0),
  tokens integer NOT NULL CHECK (tokens >= 0),
  custody_tries integer NOT NULL CHECK (custody_tries >= 0),
  -- What the addresses hold and have paid out, by asset, in decimal strings.
  held jsonb NOT NULL CHECK (jsonb_typeof(held) = 'object'),
  findings jsonb NOT NULL CHECK (jsonb_typeof(findings) = 'array'),
  CONSTRAINT chain_audits_ended CHECK ((stage = 'ended') = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX chain_audits_running ON payments.chain_audits (network) WHERE ended_at IS NULL;
CREATE INDEX chain_audits_by_network ON payments.chain_audits (network, began_at DESC);

-- Values that pruned requests have in common, each once: the price and merchant of a link, the terms of an address.
CREATE TABLE payments.pruned_values (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
  value jsonb NOT NULL
);
CREATE TRIGGER pruned_values_append_only BEFORE UPDATE OR DELETE ON payments.pruned_values
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER pruned_values_never_truncated BEFORE TRUNCATE ON payments.pruned_values
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();

-- Requests that nobody paid, removed after their retention. The rows are enough to make the request again, whole but for its
-- token, as soon as money comes to one of its addresses; its history and events stay too.
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

-- The addresses that were shown for pruned requests, once for each asset. They stay watched, and are settled by their terms
-- whenever money comes.
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

-- All requests, pruned ones too: invariants compare them with the event log.
CREATE VIEW payments.known_requests AS
  SELECT id, organization_id, account_id, point_of_sale_id, reference_id FROM payments.payment_requests
  UNION ALL
  SELECT p.id, (v.value ->> 'organization_id')::uuid, (v.value ->> 'account_id')::uuid,
    (v.value ->> 'point_of_sale_id')::uuid, v.value ->> 'reference_id'
  FROM payments.pruned_requests p JOIN payments.pruned_values v ON v.id = p.request_value;

-- All deposit addresses, those of pruned requests too, with what settling needs: an audit derives an address anew by the factory
-- that it was derived by.
CREATE VIEW payments.known_addresses AS
  SELECT network, address, tag, payment_request_id, organization_id, account_id, settlement_terms_id, settlement_address,
    fee_recipient, fee_basis_points, derivation
  FROM payments.deposit_addresses
  UNION ALL
  SELECT DISTINCT a.network, a.address, a.tag, a.payment_request_id, (s.value ->> 'organization_id')::uuid,
    (s.value ->> 'account_id')::uuid, (v.value ->> 'settlement_terms_id')::uuid, v.value ->> 'settlement_address',
    v.value ->> 'fee_recipient', (v.value ->> 'fee_basis_points')::integer, v.value -> 'derivation'
  FROM payments.pruned_addresses a JOIN payments.pruned_values v ON v.id = a.terms_value
  JOIN payments.pruned_values s ON s.id = a.selection_value;

-- The addresses that settlement must leave alone.
CREATE VIEW payments.public_settlement_holds AS
  SELECT DISTINCT network, address, tag FROM payments.settlement_holds WHERE released_at IS NULL;

-- Canonical transfers. A transfer is posted once its request is confirmed with it, or it is a deposit.
CREATE VIEW payments.public_standing_transfers AS
  SELECT t.network, t.unique_asset_id, t.block_number, t.amount,
    t.deposited_at IS NOT NULL OR (t.counted AND r.confirmed_at IS NOT NULL) AS posted
  FROM payments.transfers t JOIN payments.payment_requests r ON r.id = t.payment_request_id WHERE t.canonical;

-- An account with rows in this view or in the next two is not deleted.
CREATE VIEW payments.public_open_requests AS
  SELECT id, organization_id, account_id FROM payments.payment_requests WHERE status = 'pending'
  UNION ALL
  SELECT id, organization_id, account_id FROM payments.payment_requests WHERE status IN ('created', 'processing');

CREATE VIEW payments.public_active_links AS
  SELECT id, organization_id, account_id, point_of_sale_id FROM payments.payment_links WHERE active;

-- Transfers that the ledger has still to post: not final yet, or a deposit that is not made yet. What counts for an open request
-- is posted with its outcome.
CREATE VIEW payments.public_unposted_transfers AS
  SELECT id, organization_id, account_id, unique_asset_id FROM payments.transfers WHERE canonical AND NOT final
  UNION ALL
  SELECT id, organization_id, account_id, unique_asset_id FROM payments.transfers
  WHERE canonical AND final AND NOT counted AND deposited_at IS NULL;

CREATE VIEW payments.public_known_addresses AS
  SELECT network, address, tag, payment_request_id, organization_id, account_id, derivation, settlement_terms_id,
    settlement_address, fee_recipient, fee_basis_points
  FROM payments.known_addresses;

CREATE VIEW payments.public_payouts AS
  SELECT group_id, network, transaction_hash, log_index, block_number, block_hash, from_address, address, tag, unique_asset_id,
    to_settlement, to_fee, payment_request_id, organization_id, account_id, canonical, final
  FROM payments.payouts;

CREATE VIEW payments.public_payment_links AS
  SELECT id, organization_id, code, active, created_at FROM payments.payment_links;
