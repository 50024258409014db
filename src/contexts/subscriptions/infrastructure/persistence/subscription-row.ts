import { withoutNulls, type RowOf } from '#shared/platform/database/optional-columns.js';
import type { ChargedAsset, SubscriptionState, Wallet } from '../../domain/subscription-state.js';

/** Of a subscription `s`. */
export const SUBSCRIPTION_COLUMNS = `s.id, s.organization_id AS "organizationId", s.account_id AS "accountId",
  s.point_of_sale_id AS "pointOfSaleId", s.code, s.merchant_name AS "merchantName", s.network,
  s.unique_asset_id AS "uniqueAssetId", s.currency AS symbol, s.decimals, s.amount::text AS amount, s."interval",
  s.reference_id AS "referenceId", s.trial_until AS "trialUntil", s.ends_at AS "endsAt", s.status,
  s.offered_until AS "offeredUntil", s.wallet_id AS "walletId",
  (SELECT w.external_id FROM subscriptions.wallets w WHERE w.id = s.wallet_id) AS "walletExternalId",
  s.accepted_at AS "acceptedAt", s.first_due_at AS "firstDueAt", s.next_number AS "nextNumber",
  s.next_charge_at AS "nextChargeAt", s.revoked_by AS "revokedBy", s.created_at AS "createdAt", s.updated_at AS "updatedAt"`;

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
