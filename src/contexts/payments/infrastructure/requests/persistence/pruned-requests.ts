import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';

/** Ordered, so that two writers of the same values do not deadlock. @param rows SQL query with a column `value` */
const insertValuesSql = (rows: string) => `
INSERT INTO payments.pruned_values (digest, value)
SELECT sha256(convert_to(value::text, 'UTF8')), value FROM (${rows}) v GROUP BY value ORDER BY 1
ON CONFLICT (digest) DO NOTHING`;

const valueIdSql = (value: string) =>
  `(SELECT v.id FROM payments.pruned_values v WHERE v.digest = sha256(convert_to((${value})::text, 'UTF8')))`;

/** Includes columns that later releases add. */
const SHARED_REQUEST = `to_jsonb(r) - '{id,token,amount,created_at,expires_at,counts_until}'::text[]`;
const SHARED_CHECKOUT = `to_jsonb(c) - '{payment_request_id,session_id,created_at}'::text[]`;
const SHARED_SELECTION = `to_jsonb(s) - '{payment_request_id,network,address,tag,amount,rate,rate_at,selected_at}'::text[]`;
const SHARED_TERMS = `jsonb_build_object('derivation', a.derivation, 'settlement_terms_id', a.settlement_terms_id,
  'settlement_address', a.settlement_address, 'fee_recipient', a.fee_recipient, 'fee_basis_points', a.fee_basis_points)
  || CASE WHEN a.delivered THEN '{"delivered": true}'::jsonb ELSE '{}'::jsonb END`;

const REQUESTS_TO_PRUNE = `payments.payment_requests r JOIN payments.checkouts c ON c.payment_request_id = r.id WHERE r.id = ANY($1)`;
const SELECTIONS_TO_PRUNE = `payments.selections s JOIN payments.deposit_addresses a USING (network, address, tag)
  WHERE s.payment_request_id = ANY($1)`;

/** An earlier statement locks the requests $1. */
export const PRUNABLE_REQUESTS = `
SELECT r.id FROM payments.payment_requests r JOIN payments.checkouts c ON c.payment_request_id = r.id
WHERE r.id = ANY($1) AND r.status = 'expired'
  AND NOT EXISTS (SELECT FROM payments.transfers t WHERE t.payment_request_id = r.id)
  AND NOT EXISTS (SELECT FROM payments.settlement_holds h WHERE h.payment_request_id = r.id)
  AND NOT EXISTS (SELECT FROM payments.payouts p WHERE p.payment_request_id = r.id)`;

/** Statements in order. Each takes the request ids as $1. */
export const PRUNE_SQL = [
  insertValuesSql(`SELECT ${SHARED_REQUEST} AS value FROM ${REQUESTS_TO_PRUNE} UNION ALL SELECT ${SHARED_CHECKOUT} FROM ${REQUESTS_TO_PRUNE}
    UNION ALL SELECT ${SHARED_SELECTION} FROM ${SELECTIONS_TO_PRUNE} UNION ALL SELECT ${SHARED_TERMS} FROM ${SELECTIONS_TO_PRUNE}`),
  `INSERT INTO payments.pruned_requests (id, session_id, request_value, checkout_value, amount, created_at, expires_at,
     counts_until, pruned_at)
   SELECT r.id, c.session_id, ${valueIdSql(SHARED_REQUEST)}, ${valueIdSql(SHARED_CHECKOUT)}, r.amount, r.created_at, r.expires_at, r.counts_until,
     platform.now() FROM ${REQUESTS_TO_PRUNE}`,
  `INSERT INTO payments.pruned_addresses (network, address, tag, payment_request_id, selection_value, terms_value,
     numbering_id, number, amount, rate, rate_at, selected_at)
   SELECT network, address, tag, s.payment_request_id, ${valueIdSql(SHARED_SELECTION)}, ${valueIdSql(SHARED_TERMS)}, a.numbering_id, a.number,
     s.amount, s.rate, s.rate_at, s.selected_at FROM ${SELECTIONS_TO_PRUNE}`,
  `DELETE FROM payments.selections WHERE payment_request_id = ANY($1)`,
  `DELETE FROM payments.checkouts WHERE payment_request_id = ANY($1)`,
  `DELETE FROM payments.deposit_addresses WHERE payment_request_id = ANY($1)`,
  `DELETE FROM payments.received_sums WHERE payment_request_id = ANY($1)`,
  `DELETE FROM payments.payment_requests WHERE id = ANY($1)`,
];

/** A column that was added after a row was pruned gets its default. */
function restoreSql(
  table: string,
  columns: string,
  own: string,
  value: string,
  pruned: string,
  request: string,
): string {
  const typed = columns.split(',').map((column) => `x.${column.trim()}`);
  return `INSERT INTO payments.${table} (${columns}) SELECT ${typed.join(', ')}
    FROM payments.${pruned} JOIN payments.pruned_values v ON v.id = p.${value}
    CROSS JOIN LATERAL jsonb_populate_record(NULL::payments.${table}, v.value || ${own}) x WHERE ${request} = ANY($1)`;
}

const REQUEST_COLUMNS = `id, organization_id, account_id, point_of_sale_id, type, status, network, unique_asset_id, currency,
  decimals, amount, received_amount, reference_id, "order", token, created_at, expires_at, counts_until, confirmed_at, version,
  outcome_block, sums_at_version, uncounting, underpayment_tolerance`;
const CHECKOUT_COLUMNS = `payment_request_id, organization_id, account_id, session_id, amount, coin_code, payment_options,
  merchant, return_url, frame_origins, checkout_first, payment_link_id, amount_by_payer, created_at`;
const SELECTION_COLUMNS = `payment_request_id, unique_asset_id, organization_id, account_id, network, currency, decimals,
  amount, inclusion_grace_seconds, address, tag, rate, rate_sources, rate_at, selected_at,
  minimum_amount`;

const OWN_REQUEST = `jsonb_build_object('id', p.id, 'token', '', 'amount', p.amount, 'created_at', p.created_at,
  'expires_at', p.expires_at, 'counts_until', p.counts_until)`;
const OWN_CHECKOUT = `jsonb_build_object('payment_request_id', p.id, 'session_id', p.session_id, 'created_at', p.created_at)`;
const OWN_SELECTION = `jsonb_build_object('payment_request_id', p.payment_request_id, 'network', p.network, 'address', p.address,
  'tag', p.tag, 'amount', p.amount, 'rate', p.rate, 'rate_at', p.rate_at, 'selected_at', p.selected_at)`;

/** Statements in order. Each takes the request ids as $1. The restored rows have an empty token. */
export const RESTORE_REQUESTS_SQL = [
  restoreSql('payment_requests', REQUEST_COLUMNS, OWN_REQUEST, 'request_value', 'pruned_requests p', 'p.id'),
  restoreSql('checkouts', CHECKOUT_COLUMNS, OWN_CHECKOUT, 'checkout_value', 'pruned_requests p', 'p.id'),
  `INSERT INTO payments.deposit_addresses (network, address, tag, payment_request_id, organization_id, account_id,
     unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, numbering_id,
     number, delivered, created_at)
   SELECT DISTINCT ON (a.network, a.address, a.tag) a.network, a.address, a.tag, a.payment_request_id,
     (s.value ->> 'organization_id')::uuid, (s.value ->> 'account_id')::uuid, s.value ->> 'unique_asset_id',
     t.value -> 'derivation', (t.value ->> 'settlement_terms_id')::uuid, t.value ->> 'settlement_address',
     t.value ->> 'fee_recipient', (t.value ->> 'fee_basis_points')::integer, a.numbering_id, a.number,
     COALESCE((t.value ->> 'delivered')::boolean, false), a.selected_at
   FROM payments.pruned_addresses a JOIN payments.pruned_values s ON s.id = a.selection_value
   JOIN payments.pruned_values t ON t.id = a.terms_value
   WHERE a.payment_request_id = ANY($1) ORDER BY a.network, a.address, a.tag, a.selected_at`,
  restoreSql(
    'selections',
    SELECTION_COLUMNS,
    OWN_SELECTION,
    'selection_value',
    'pruned_addresses p',
    'p.payment_request_id',
  ),
  `DELETE FROM payments.pruned_addresses WHERE payment_request_id = ANY($1)`,
  `DELETE FROM payments.pruned_requests WHERE id = ANY($1)`,
];

interface Row {
  id: PaymentRequestId;
}

export async function pruneRequests(database: Database, ids: readonly PaymentRequestId[]): Promise<void> {
  const locked = await database.queryInTransaction<Row>(
    'SELECT id FROM payments.payment_requests WHERE id = ANY($1) ORDER BY id FOR UPDATE',
    [ids],
  );
  // A separate statement sees what a watcher iteration committed before it released the request.
  const unpaid = await database.queryInTransaction<Row>(PRUNABLE_REQUESTS, [locked.map(({ id }) => id)]);
  if (unpaid.length === 0) return;
  const pruned = unpaid.map(({ id }) => id);
  for (const statement of PRUNE_SQL) await database.queryInTransaction(statement, [pruned]);
}

export async function restorePrunedRequests(
  database: Database,
  ids: readonly PaymentRequestId[],
): Promise<void> {
  const pruned = await database.queryInTransaction<Row>(
    'SELECT id FROM payments.pruned_requests WHERE id = ANY($1) ORDER BY id FOR UPDATE',
    [ids],
  );
  if (pruned.length === 0) return;
  for (const statement of RESTORE_REQUESTS_SQL)
    await database.queryInTransaction(statement, [pruned.map(({ id }) => id)]);
}
