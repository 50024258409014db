import { withoutNulls, type RowOf } from '#shared/platform/database/optional-columns.js';
import type { RefundedAsset, RefundState } from '#contexts/settlement/domain/refunds/refund.js';

export const REFUND_COLUMNS = `id, organization_id, account_id,
  payment_request_id, point_of_sale_id, reference_id,
  merchant_name, network, token, unique_asset_id, currency AS symbol, decimals,
  amount::text AS amount, status, reason, to_address AS "to", claim_expires_at,
  claimed_at, approved_at, approved_by, float_address,
  transaction_hash, failure, created_at, updated_at`;

type Columns = Omit<RefundState, 'asset' | 'amount'> & RefundedAsset & { readonly amount: string };

export type RefundRow = RowOf<Columns>;

export function refundFromRow(row: RefundRow): RefundState {
  const { network, token, uniqueAssetId, symbol, decimals, amount, ...rest } = withoutNulls<Columns>(row);
  return { ...rest, asset: { network, token, uniqueAssetId, symbol, decimals }, amount: BigInt(amount) };
}
