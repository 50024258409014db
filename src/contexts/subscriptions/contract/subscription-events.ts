import type { DomainEvent } from '#shared/kernel/domain-event.js';

/**
 * `pending`: offered. `active`: accepted by a wallet. `past_due`: its last charge is unpaid. `completed`: past its end.
 * `expired`: not accepted in time. `revoked`: no more charges, for good.
 */
export type SubscriptionStatus = 'pending' | 'active' | 'past_due' | 'completed' | 'expired' | 'revoked';

/** `unpaid`: the service itself, since charges stayed unpaid. */
export const REVOKERS = ['merchant', 'wallet', 'payer', 'unpaid'] as const;
export type Revoker = (typeof REVOKERS)[number];

/** `aggregateId` is the subscription's id. The amount of a charge is in smallest units as a decimal integer. */
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
    /** The wallet provider's own id; absent before acceptance. */
    readonly walletExternalId?: string;
    /** Absent where no due date follows. */
    readonly nextChargeAt?: string;
    /** Only a pending subscription has it: when the offer ends. */
    readonly expiresAt?: string;
    /** Only a revoked subscription has it. */
    readonly revokedBy?: Revoker;
  }
>;

export type SubscriptionEvent = SubscriptionStatusChanged;
