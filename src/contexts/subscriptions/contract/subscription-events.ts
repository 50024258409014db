import type { DomainEvent } from '#shared/kernel/domain-event.js';

/**
 * `pending`: offered. `past_due`: the last charge is unpaid. `completed`: its end date has passed. `expired`: not
 * accepted in time. `revoked`: permanently stopped.
 */
export type SubscriptionStatus = 'pending' | 'active' | 'past_due' | 'completed' | 'expired' | 'revoked';

/** `unpaid`: the service revoked the subscription, because charges stayed unpaid. */
export const REVOKERS = ['merchant', 'wallet', 'payer', 'unpaid'] as const;
export type Revoker = (typeof REVOKERS)[number];

/** `aggregateId` is the subscription's id. The amount of a charge is in smallest units, as a decimal integer. */
export type SubscriptionStatusChanged = DomainEvent<
  'subscription.status_changed',
  {
    readonly status: SubscriptionStatus;
    readonly pointOfSaleId: string;
    readonly referenceId?: string;
    readonly network: string;
    readonly uniqueAssetId: string;
    readonly currency: string;
    readonly decimals: number;
    readonly amount: string;
    readonly interval: string;
    /** Id assigned by the wallet provider. Absent until a wallet has accepted the subscription. */
    readonly walletExternalId?: string;
    readonly nextChargeAt?: string;
    readonly expiresAt?: string;
    readonly revokedBy?: Revoker;
  }
>;

export type SubscriptionEvent = SubscriptionStatusChanged;
