import { withoutNulls, type RowOf } from '#shared/platform/database/optional-columns.js';
import type { RefundedAsset, RefundState } from '#contexts/settlement/domain/refunds/refund.js';

export const REFUND_COLUMNS = `id, organization_id AS "organizationId", account_id AS "accountId",
  payment_request_id AS "paymentRequestId", point_of_sale_id AS "pointOfSaleId", reference_id AS "referenceId",
  merchant_name AS "merchantName", network, token, unique_asset_id AS "uniqueAssetId", currency AS symbol, decimals,
  amount::text AS amount, status, reason, to_address AS "to", claim_expires_at AS "claimExpiresAt",
  claimed_at AS "claimedAt", approved_at AS "approvedAt", approved_by AS "approvedBy", float_address AS "floatAddress",
  transaction_hash AS "transactionHash", failure, created_at AS "createdAt", updated_at AS "updatedAt"`;

type Columns = Omit<RefundState, 'asset' | 'amount'> & RefundedAsset & { readonly amount: string };

export type RefundRow = RowOf<Columns>;

export function refundFromRow(row: RefundRow): RefundState {
  const { network, token, uniqueAssetId, symbol, decimals, amount, ...rest } = withoutNulls<Columns>(row);
  return { ...rest, asset: { network, token, uniqueAssetId, symbol, decimals }, amount: BigInt(amount) };
}
