import type { TransactionView } from '../../application/transaction-queries.js';
import { COUNTS, IS_SETTLEMENT } from './settled-links.sql.js';
import { followed, type Numbering } from './transaction-selection.sql.js';

type Amounts = 'grossAmount' | 'netAmount' | 'expectedAmount';
export type TransactionViewRow = Omit<TransactionView, Amounts> & Record<Amounts, string>;

const COLUMNS = `t.id, t.type, COALESCE(c.status, t.status) AS status, t.gross_amount,
  t.net_amount, t.decimals, t.currency, t.network, t.expected_amount,
  t.unique_asset_id, t.from_type, t.account_external_id,
  t.from_address AS "from", t.to_address AS "to", t.to_type, t.financial_provider,
  COALESCE(c.transaction_hash, t.transaction_hash) AS transaction_hash, t.payment_request_id,
  t.reference_id, COALESCE(d.settlement_id, CASE WHEN ${IS_SETTLEMENT} THEN t.source_id END)
    AS settlement_id, t.created_at, COALESCE(c.at, t.updated_at) AS updated_at`;

/**
 * `TransactionViewRow` and `sequence` of rows of `ledger.transactions`, with their present status and the settlement that
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

export function toTransactionView(row: TransactionViewRow): TransactionView {
  return {
    ...row,
    grossAmount: BigInt(row.grossAmount),
    netAmount: BigInt(row.netAmount),
    expectedAmount: BigInt(row.expectedAmount),
  };
}
