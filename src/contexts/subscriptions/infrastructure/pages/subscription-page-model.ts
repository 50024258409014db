import type { PageBranding } from '#shared/web/document/inline-asset.js';
import type { Revoker, SubscriptionStatus } from '../../contract/subscription-events.js';
import type { BillingInterval } from '../../domain/billing-interval.js';
import type { ChargeStatus } from '../../domain/charge.js';

/** A payment, as payers call it. */
export interface ShownCharge {
  readonly dueAt: Date;
  readonly status: ChargeStatus;
  /** True where it was left unpaid at least once. */
  readonly missed: boolean;
  readonly paidAt?: Date;
}

export interface SubscriptionPageModel {
  readonly code: string;
  readonly merchant: string;
  /** The look that the merchant has chosen. */
  readonly branding?: PageBranding | undefined;
  /** Decimal string in whole units. */
  readonly amount: string;
  readonly symbol: string;
  readonly assetName: string;
  readonly networkName: string;
  readonly interval: BillingInterval;
  /** The status at this moment: an offer that has ended is `expired`. */
  readonly status: SubscriptionStatus;
  readonly revokedBy?: Revoker;
  readonly offeredUntil: Date;
  readonly acceptedAt?: Date;
  readonly freeUntil?: Date;
  readonly endsAt?: Date;
  /** The due date that follows. */
  readonly nextAt?: Date;
  readonly now: Date;
  /** The charge that can be paid now; `refused` where payments could not open it at the last try. */
  readonly toPay?: { readonly dueAt: Date; readonly until: Date; readonly refused: boolean };
  /** Newest first. */
  readonly charges: readonly ShownCharge[];
  /** The page of the charges, from 1. */
  readonly page: number;
  readonly pages: number;
}

/** True where nothing will ever be charged any more. */
export function isOver({ status }: SubscriptionPageModel): boolean {
  return status === 'completed' || status === 'expired' || status === 'revoked';
}

export function pathOf({ code }: SubscriptionPageModel, below = ''): string {
  return `/subscription/${encodeURIComponent(code)}${below}`;
}
