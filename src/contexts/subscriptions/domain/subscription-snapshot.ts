import { formatAmount } from '#shared/kernel/amount.js';
import { stateConflict, type DomainError } from '#shared/kernel/domain-error.js';
import type { Asset } from '#shared/kernel/asset.js';
import type {
  AccountId,
  OrganizationId,
  PointOfSaleId,
  SubscriptionId,
  WalletId,
} from '#shared/kernel/ids.js';
import type { Revoker, SubscriptionStatus } from '../contract/subscription-events.js';
import type { BillingInterval } from './billing-interval.js';

export type ChargedAsset = Pick<Asset, 'uniqueAssetId' | 'network' | 'symbol' | 'decimals'>;

export interface Wallet {
  readonly id: WalletId;
  readonly externalId: string;
}

export type WalletReference = { readonly externalId: string } | { readonly id: WalletId };

export const SUBSCRIPTION_TRANSITIONS: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  pending: ['active', 'expired', 'revoked'],
  active: ['past_due', 'completed', 'revoked'],
  past_due: ['active', 'revoked'],
  completed: [],
  expired: [],
  revoked: [],
};

export const SUBSCRIPTION_STATUSES = Object.keys(SUBSCRIPTION_TRANSITIONS) as SubscriptionStatus[];

export type IdGenerator = <T extends string>() => T;

export interface SubscriptionSnapshot {
  readonly id: SubscriptionId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly code: string;
  readonly merchantName: string;
  readonly asset: ChargedAsset;
  /** In smallest units. */
  readonly amount: bigint;
  readonly interval: BillingInterval;
  readonly referenceId?: string;
  readonly trialUntil?: Date;
  /** Due dates at or after this time are not charged. */
  readonly endsAt?: Date;
  readonly status: SubscriptionStatus;
  readonly offeredUntil: Date;
  readonly wallet?: Wallet;
  readonly acceptedAt?: Date;
  /** Due date number 0, from which all later due dates are counted. */
  readonly firstDueAt?: Date;
  /** Next due date to charge, and its number. Absent if no due date follows. */
  readonly next?: { readonly number: number; readonly at: Date };
  readonly revokedBy?: Revoker;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type SubscriptionOffer = Omit<
  SubscriptionSnapshot,
  'status' | 'wallet' | 'acceptedAt' | 'firstDueAt' | 'next' | 'revokedBy' | 'updatedAt'
>;

export function auditedFieldsOfSubscription(subscription: SubscriptionSnapshot): object {
  const { asset, amount } = subscription;
  return {
    point_of_sale_id: subscription.pointOfSaleId,
    amount: formatAmount(amount, asset.decimals),
    unique_asset_id: asset.uniqueAssetId,
    interval: subscription.interval,
    reference_id: subscription.referenceId,
    trial_until: subscription.trialUntil,
    ends_at: subscription.endsAt,
    status: subscription.status,
  };
}

export function subscriptionNotAcceptedError(): DomainError {
  return stateConflict('This wallet has not accepted the subscription, so it cannot revoke it.');
}

export function subscriptionNotOfferedError(status: SubscriptionStatus): DomainError {
  const ended = status === 'revoked' ? 'was revoked before any wallet accepted it' : 'has expired';
  return stateConflict(`This offer ${ended}. Ask the merchant for a new subscription.`);
}
