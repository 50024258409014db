import { formatAmount } from '#shared/kernel/amount.js';
import { canonicalJson } from '#shared/kernel/canonical-json.js';

/** What is said of a subscription. */
export interface SubscriptionNotice {
  readonly subscriptionId: string;
  readonly status: string;
  readonly accountId: string;
  readonly pointOfSaleId: string;
  readonly referenceId?: string;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** Of each charge, in smallest units. */
  readonly amount: bigint;
  /** ISO 8601 duration between due dates. */
  readonly interval: string;
  /** The wallet provider's own id. */
  readonly walletExternalId?: string;
  /** ISO 8601, as `expiresAt`. */
  readonly nextChargeAt?: string;
  readonly expiresAt?: string;
  readonly revokedBy?: string;
}

/** Canonical JSON. */
export function subscriptionBody(notice: SubscriptionNotice): string {
  return canonicalJson({
    data: {
      notification_type: 'subscription_status_update',
      subscription_id: notice.subscriptionId,
      status: notice.status,
      external_reference_id: notice.referenceId ?? notice.subscriptionId,
      point_of_sale_id: notice.pointOfSaleId,
      account_id: notice.accountId,
      amount: formatAmount(notice.amount, notice.decimals),
      currency: notice.currency,
      network: notice.network,
      unique_asset_id: notice.uniqueAssetId,
      interval: notice.interval,
      wallet_external_id: notice.walletExternalId,
      next_charge_at: notice.nextChargeAt,
      expires_at: notice.expiresAt,
      revoked_by: notice.revokedBy,
    },
  });
}
