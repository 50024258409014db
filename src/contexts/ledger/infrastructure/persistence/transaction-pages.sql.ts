import { ListOrder } from '#shared/platform/database/list-order.js';
import {
  boundsCte,
  IS_VALID_SETTLEMENT_LINK,
  hasSeveralStatuses,
  IS_EXCEPTIONAL,
  IS_SETTLEMENT,
  type NumberingScope,
  hasTypeAndStatus,
  hasId,
  hasReference,
  type TransactionSelection,
} from './transaction-selection.sql.js';

const VIEW_COLUMNS = `t.id, t.type, COALESCE(c.status, t.status) AS status, t.gross_amount, t.net_amount, t.expected_amount,
  t.decimals, t.currency, t.network, t.unique_asset_id, t.account_external_id, t.from_address AS "from", t.from_type,
  t.to_address AS "to", t.to_type, t.financial_provider, COALESCE(c.transaction_hash, t.transaction_hash) AS transaction_hash,
  t.payment_request_id, t.reference_id,
  COALESCE(d.settlement_id, CASE WHEN ${IS_SETTLEMENT} THEN t.source_id END) AS settlement_id,
  to_char(t.booked_for, 'YYYY-MM') AS booked_for, t.created_at, COALESCE(c.at, t.updated_at) AS updated_at`;

/**
 * Status and settlement are looked up only for the given rows.
 * @param rows query for all columns; its order is lost
 */
export const selectTransactionViews = (rows: string, ordering: NumberingScope) => `
SELECT ${VIEW_COLUMNS}, t.${ordering}_sequence AS sequence
FROM (${rows}) t
LEFT JOIN LATERAL (
  SELECT s.status, s.at, s.transaction_hash FROM ledger.status_changes s
  WHERE s.transaction_id = t.id AND ${hasSeveralStatuses('t')} ORDER BY s.step DESC LIMIT 1
) c ON true
LEFT JOIN LATERAL (
  SELECT l.settlement_id FROM ledger.settled_transactions l WHERE l.transaction_id = t.id AND ${IS_VALID_SETTLEMENT_LINK} LIMIT 1
) d ON true`;

export const TRANSACTION_ORDER = new ListOrder('DESC', [{ column: 'sequence', kind: 'number' }]);

/** Highest transaction number of a page in a list without gaps. */
const topNumberOf = (last: string) => `least(${last} - $5::bigint, $3::bigint - 1)`;

/** One snapshot of counter and rows, so that pages are exact during posting. */
const wholePage = (numbering: NumberingScope) => `
SELECT s.last AS total, t.*
FROM ledger.sequences s LEFT JOIN LATERAL (
${selectTransactionViews(
  `SELECT * FROM ledger.transactions t WHERE t.${numbering}_id = s.scope_id
    AND t.${numbering}_sequence <= ${topNumberOf('s.last')} AND t.${numbering}_sequence > ${topNumberOf('s.last')} - $4::bigint
  ORDER BY t.${numbering}_sequence DESC LIMIT $4::bigint`,
  numbering,
)}
) t ON true
WHERE s.scope_id = $1 AND s.organization_id = $2
ORDER BY t.sequence DESC`;

const rangePage = (numbering: NumberingScope) => `
WITH ${boundsCte(numbering, 6)}
SELECT b.high - b.low AS total, t.*
FROM bounds b LEFT JOIN LATERAL (
${selectTransactionViews(
  `SELECT * FROM ledger.transactions t WHERE t.${numbering}_id = b.scope_id
    AND t.${numbering}_sequence <= ${topNumberOf('b.high')}
    AND t.${numbering}_sequence > greatest(b.low, ${topNumberOf('b.high')} - $4::bigint)
  ORDER BY t.${numbering}_sequence DESC LIMIT $4::bigint`,
  numbering,
)}
) t ON true
ORDER BY t.sequence DESC`;

/**
 * $5 is the number of matches before the page. An excluded transaction is above the page if fewer than $5 matches have
 * higher numbers. Numbers have no gaps, so that count is its distance from the highest number, minus the excluded
 * transactions with higher numbers.
 */
const mostPage = (numbering: NumberingScope) => `
WITH ${boundsCte(numbering, 6)}, unwanted AS MATERIALIZED (
  SELECT t.${numbering}_sequence AS sequence, row_number() OVER (ORDER BY t.${numbering}_sequence DESC) AS n
  FROM bounds b JOIN ledger.transactions t ON t.${numbering}_id = b.scope_id
    AND t.${numbering}_sequence > b.low AND t.${numbering}_sequence <= b.high
  WHERE ${IS_EXCEPTIONAL} AND NOT (${hasTypeAndStatus(8, numbering)})
), counted AS MATERIALIZED (
  SELECT b.scope_id, b.low, b.high, b.high - b.low - count(u.sequence) AS total,
    count(*) FILTER (WHERE b.high - u.sequence - (u.n - 1) <= $5::bigint) AS passed
  FROM bounds b LEFT JOIN unwanted u ON true GROUP BY b.scope_id, b.low, b.high
)
SELECT c.total, t.*
FROM counted c LEFT JOIN LATERAL (
${selectTransactionViews(
  `SELECT * FROM ledger.transactions t WHERE t.${numbering}_id = c.scope_id
    AND t.${numbering}_sequence <= ${topNumberOf('c.high - c.passed')}
    AND t.${numbering}_sequence > c.low AND ${hasTypeAndStatus(8, numbering)}
  ORDER BY t.${numbering}_sequence DESC LIMIT $4::bigint`,
  numbering,
)}
) t ON true
ORDER BY t.sequence DESC`;

const exceptionsPage = (numbering: NumberingScope) => {
  const selected = `t.${numbering}_id = b.scope_id AND t.${numbering}_sequence > b.low
    AND t.${numbering}_sequence <= b.high AND ${IS_EXCEPTIONAL} AND ${hasTypeAndStatus(8, numbering)}`;
  return `
WITH ${boundsCte(numbering, 6)}, counted AS MATERIALIZED (
  SELECT b.*, (SELECT count(*) FROM ledger.transactions t WHERE ${selected}) AS total FROM bounds b
)
SELECT b.total, t.*
FROM counted b LEFT JOIN LATERAL (
${selectTransactionViews(
  `SELECT * FROM ledger.transactions t WHERE ${selected} AND t.${numbering}_sequence < $3::bigint
  ORDER BY t.${numbering}_sequence DESC ${TRANSACTION_ORDER.limitSql(3)}`,
  numbering,
)}
) t ON true
ORDER BY t.sequence DESC`;
};

const exactPage = (matches: typeof hasReference) => (numbering: NumberingScope) => `
WITH counted AS MATERIALIZED (
  SELECT count(*) AS total FROM ledger.transactions t WHERE ${matches(6)} AND t.${numbering}_id = $1
)
SELECT counted.total, t.*
FROM counted LEFT JOIN LATERAL (
${selectTransactionViews(
  `SELECT * FROM ledger.transactions t WHERE ${matches(6)} AND t.${numbering}_id = $1
    AND t.organization_sequence < $3::bigint
  ORDER BY t.organization_sequence DESC ${TRANSACTION_ORDER.limitSql(3)}`,
  'organization',
)}
) t ON true
ORDER BY t.sequence DESC`;

const PAGE_QUERY_BUILDERS: Record<TransactionSelection, (numbering: NumberingScope) => string> = {
  whole: wholePage,
  range: rangePage,
  most: mostPage,
  exceptions: exceptionsPage,
  reference: exactPage(hasReference),
  id: exactPage(hasId),
};

const pageQueriesOf = (numbering: NumberingScope) =>
  Object.fromEntries(
    Object.entries(PAGE_QUERY_BUILDERS).map(([selection, text]) => [selection, text(numbering)]),
  ) as Record<TransactionSelection, string>;

/** Parameters: $1 scope, $2 organization, from $3 `TRANSACTION_ORDER.parameters`, from $6 `filterValues`. */
export const PAGE_QUERIES: Record<NumberingScope, Record<TransactionSelection, string>> = {
  organization: pageQueriesOf('organization'),
  account: pageQueriesOf('account'),
};
