import { withoutNulls, type RowOf } from '#shared/platform/database/optional-columns.js';
import type { ChargedAsset, SubscriptionState, Wallet } from '../../domain/subscription-state.js';

/** Of a subscription `s`. */
export const SUBSCRIPTION_COLUMNS = `s.id, s.organization_id, s.account_id,
  s.point_of_sale_id, s.code, s.merchant_name, s.network,
  s.unique_asset_id, s.currency AS symbol, s.decimals, s.amount::text AS amount, s."interval",
  s.reference_id, s.trial_until, s.ends_at, s.status,
  s.offered_until, s.wallet_id,
  (SELECT w.external_id FROM subscriptions.wallets w WHERE w.id = s.wallet_id) AS wallet_external_id,
  s.accepted_at, s.first_due_at, s.next_number,
  s.next_charge_at, s.revoked_by, s.created_at, s.updated_at`;

type Columns = Omit<SubscriptionState, 'asset' | 'amount' | 'wallet' | 'next'> &
  ChargedAsset & {
    readonly amount: string;
    readonly walletId?: Wallet['id'];
    readonly walletExternalId?: string;
    readonly nextNumber?: number;
    readonly nextChargeAt?: Date;
  };

export type SubscriptionRow = RowOf<Columns>;

export function subscriptionFromRow(row: SubscriptionRow): SubscriptionState {
  const { network, uniqueAssetId, symbol, decimals, ...columns } = withoutNulls<Columns>(row);
  const { amount, walletId, walletExternalId, nextNumber, nextChargeAt, ...rest } = columns;
  return {
    ...rest,
    asset: { network, uniqueAssetId, symbol, decimals },
    amount: BigInt(amount),
    ...(walletId === undefined ? {} : { wallet: { id: walletId, externalId: walletExternalId! } }),
    ...(nextNumber === undefined ? {} : { next: { number: nextNumber, at: nextChargeAt! } }),
  };
}
