import type { SubscriptionId } from '#shared/kernel/ids.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import { Charge, type ChargeRequest, type ChargeSnapshot } from '../../domain/charge.js';
import { MAX_LOADED_CHARGES } from '../../domain/past-due-rule.js';
import type { ChargedAsset, SubscriptionSnapshot, Wallet } from '../../domain/subscription-snapshot.js';

export const SUBSCRIPTION_COLUMNS = `s.id, s.organization_id, s.account_id, s.point_of_sale_id, s.code, s.merchant_name,
  s.network, s.unique_asset_id, s.currency AS symbol, s.decimals, s.amount, s."interval", s.reference_id, s.trial_until,
  s.ends_at, s.status, s.offered_until, s.wallet_id,
  (SELECT w.external_id FROM subscriptions.wallets w WHERE w.id = s.wallet_id) AS wallet_external_id,
  s.accepted_at, s.first_due_at, s.next_number, s.next_charge_at, s.revoked_by, s.created_at, s.updated_at`;

type SubscriptionColumns = Omit<SubscriptionSnapshot, 'asset' | 'wallet' | 'next'> &
  ChargedAsset & {
    readonly walletId?: Wallet['id'];
    readonly walletExternalId?: string;
    readonly nextNumber?: number;
    readonly nextChargeAt?: Date;
  };

export type SubscriptionRow = RowOf<SubscriptionColumns>;

export function subscriptionFromRow(row: SubscriptionRow): SubscriptionSnapshot {
  const { network, uniqueAssetId, symbol, decimals, ...columns } = withoutNulls<SubscriptionColumns>(row);
  const { walletId, walletExternalId, nextNumber, nextChargeAt, ...rest } = columns;
  return {
    ...rest,
    asset: { network, uniqueAssetId, symbol, decimals },
    ...(walletId === undefined ? {} : { wallet: { id: walletId, externalId: walletExternalId! } }),
    ...(nextNumber === undefined ? {} : { next: { number: nextNumber, at: nextChargeAt! } }),
  };
}

/** The last charges, the last one paid or missed, and all that are open or belong to the payment requests $2. */
export const LOAD_CHARGES = `
WITH needed AS (
  SELECT last.id FROM UNNEST($1::uuid[]) s (id) CROSS JOIN LATERAL (
    SELECT c.id FROM subscriptions.charges c WHERE c.subscription_id = s.id
    ORDER BY c.number DESC LIMIT ${MAX_LOADED_CHARGES}) last
  UNION
  SELECT judged.id FROM UNNEST($1::uuid[]) s (id) CROSS JOIN LATERAL (
    SELECT c.id FROM subscriptions.charges c
    WHERE c.subscription_id = s.id AND (c.status = 'paid' OR c.missed_at IS NOT NULL)
    ORDER BY c.number DESC LIMIT 1) judged
  UNION
  SELECT c.id FROM subscriptions.charges c WHERE c.subscription_id = ANY ($1::uuid[]) AND c.status = 'open'
  UNION
  SELECT r.charge_id FROM subscriptions.charge_requests r WHERE r.payment_request_id = ANY ($2::uuid[])
)
SELECT c.id, c.subscription_id, c.number, c.due_at, c.closes_at, c.status,
  c.next_try, c.counted_tries, c.missed_at, c.paid_at,
  COALESCE((SELECT jsonb_agg(jsonb_build_object('id', r.payment_request_id, 'attempt', r.attempt, 'status', r.status,
      'plannedAt', r.planned_at, 'windowCut', r.window_cut) ORDER BY r.payment_request_id)
    FROM subscriptions.charge_requests r WHERE r.charge_id = c.id
      AND (r.status IN ('planned', 'open', 'dropped') OR r.payment_request_id = ANY ($2::uuid[]))), '[]') AS requests
FROM subscriptions.charges c JOIN needed USING (id)
ORDER BY c.subscription_id, c.number`;

type ChargeColumns = Omit<ChargeSnapshot, 'requests'>;
type RequestJson = Omit<RowOf<ChargeRequest>, 'plannedAt'> & { readonly plannedAt: string };

export type ChargeRow = RowOf<ChargeColumns> & {
  readonly subscriptionId: SubscriptionId;
  readonly requests: readonly RequestJson[];
};

export function chargeFromRow({ subscriptionId: _, requests, ...row }: ChargeRow): Charge {
  return Charge.restore({
    ...withoutNulls<ChargeColumns>(row),
    requests: requests.map(({ plannedAt, ...request }) => ({
      ...withoutNulls<Omit<ChargeRequest, 'plannedAt'>>(request),
      plannedAt: new Date(plannedAt),
    })),
  });
}
