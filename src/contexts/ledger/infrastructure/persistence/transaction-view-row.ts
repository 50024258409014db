import type { TransactionView } from '../../application/transaction-queries.js';

type Amounts = 'grossAmount' | 'netAmount' | 'expectedAmount';
export type TransactionViewRow = Omit<TransactionView, Amounts> & Record<Amounts, string>;

/** `TransactionViewRow` of `ledger.transactions`. */
export const TRANSACTION_VIEW = `id, type, status, gross_amount AS "grossAmount", net_amount AS "netAmount", decimals,
  currency, network, expected_amount AS "expectedAmount", unique_asset_id AS "uniqueAssetId", from_type AS "fromType",
  account_external_id AS "accountExternalId", from_address AS "from", to_address AS "to", to_type AS "toType",
  financial_provider AS "financialProvider", transaction_hash AS "transactionHash",
  payment_request_id AS "paymentRequestId", reference_id AS "referenceId", created_at AS "createdAt",
  updated_at AS "updatedAt"`;

export function toTransactionView(row: TransactionViewRow): TransactionView {
  return {
    ...row,
    grossAmount: BigInt(row.grossAmount),
    netAmount: BigInt(row.netAmount),
    expectedAmount: BigInt(row.expectedAmount),
  };
}
