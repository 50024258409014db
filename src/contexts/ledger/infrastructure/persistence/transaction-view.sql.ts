import { COUNTS, IS_SETTLEMENT, followed, type Numbering } from './transaction-selection.sql.js';

const COLUMNS = `t.id, t.type, COALESCE(c.status, t.status) AS status, t.gross_amount, t.net_amount, t.expected_amount,
  t.decimals, t.currency, t.network, t.unique_asset_id, t.account_external_id, t.from_address AS "from", t.from_type,
  t.to_address AS "to", t.to_type, t.financial_provider, COALESCE(c.transaction_hash, t.transaction_hash) AS transaction_hash,
  t.payment_request_id, t.reference_id,
  COALESCE(d.settlement_id, CASE WHEN ${IS_SETTLEMENT} THEN t.source_id END) AS settlement_id,
  t.created_at, COALESCE(c.at, t.updated_at) AS updated_at`;

/**
 * `TransactionView` and `sequence` of rows of `ledger.transactions`, with their present status and the settlement that
 * delivered them. Both are looked up for the rows alone, so a page costs no more however deep it is.
 * @param rows a query for all their columns; its order is lost
 */
export const viewOf = (rows: string, ordering: Numbering) => `
SELECT ${COLUMNS}, t.${ordering}_sequence AS sequence
FROM (${rows}) t
LEFT JOIN LATERAL (
  SELECT s.status, s.at, s.transaction_hash FROM ledger.status_changes s
  WHERE s.transaction_id = t.id AND ${followed('t')} ORDER BY s.step DESC LIMIT 1
) c ON true
LEFT JOIN LATERAL (
  SELECT l.settlement_id FROM ledger.settled_transactions l WHERE l.transaction_id = t.id AND ${COUNTS} LIMIT 1
) d ON true`;
