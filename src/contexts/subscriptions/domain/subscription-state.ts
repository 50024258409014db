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

/** What an amount is of. */
export type ChargedAsset = Pick<Asset, 'uniqueAssetId' | 'network' | 'symbol' | 'decimals'>;

/** Who pays, as an organization's wallets are known. */
export interface Wallet {
  /** Given by this service at the first acceptance of the external id. */
  readonly id: WalletId;
  /** The wallet provider's own. */
  readonly externalId: string;
}

export interface SubscriptionState {
  readonly id: SubscriptionId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  /** Of the payer's page, 128 random bits. */
  readonly code: string;
  readonly merchantName: string;
  readonly asset: ChargedAsset;
  /** Of each charge, in smallest units. */
  readonly amount: bigint;
  readonly interval: BillingInterval;
  readonly referenceId?: string;
  readonly trialUntil?: Date;
  /** Due dates on or after it are not charged. */
  readonly endsAt?: Date;
  readonly status: SubscriptionStatus;
  /** When the offer ends. */
  readonly offeredUntil: Date;
  readonly wallet?: Wallet;
  readonly acceptedAt?: Date;
  /** Due date 0, from which all others are counted. */
  readonly firstDueAt?: Date;
  /** The due date that is charged next, and its number in the series; absent where none follows. */
  readonly next?: { readonly number: number; readonly at: Date };
  readonly revokedBy?: Revoker;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type SubscriptionOffer = Omit<
  SubscriptionState,
  'status' | 'wallet' | 'acceptedAt' | 'firstDueAt' | 'next' | 'revokedBy' | 'updatedAt'
>;
