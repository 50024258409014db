import type { PaymentRequestId, PointOfSaleId, SubscriptionId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { SubscriptionStatus } from '../contract/subscription-events.js';
import type { ChargeRequestStatus, ChargeState } from '../domain/charge.js';
import type { SubscriptionState } from '../domain/subscription-state.js';

export interface SubscriptionFilter {
  readonly status?: SubscriptionStatus | undefined;
}

/** A charge with the payment request that was planned for it last, unless that was dropped. */
export interface ChargeView extends Pick<
  ChargeState,
  'id' | 'number' | 'dueAt' | 'closesAt' | 'status' | 'missedAt' | 'paidAt'
> {
  readonly request?: {
    readonly id: PaymentRequestId;
    readonly status: ChargeRequestStatus;
    /** Of a planned one that payments could not open: why, as a sentence for people. */
    readonly refused?: string;
  };
}

/** Reads that load no aggregate. */
export abstract class SubscriptionQueries {
  /** Newest first. */
  abstract page(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    filter: SubscriptionFilter,
    page: PageRequest,
  ): Promise<Page<SubscriptionState>>;
  /** Of all points of sale, newest first. */
  abstract pageOfAll(
    scope: Scope,
    filter: SubscriptionFilter,
    page: PageRequest,
  ): Promise<Page<SubscriptionState>>;
  /** @throws not_found, also for another tenant's, or another point of sale's where one is named */
  abstract find(scope: Scope, id: SubscriptionId, pointOfSale?: PointOfSaleId): Promise<SubscriptionState>;
  /** By the payer's page. @throws not_found */
  abstract findByCode(code: string): Promise<SubscriptionState>;
  /** Newest first; of a subscription that the caller may see. */
  abstract charges(id: SubscriptionId, page: PageRequest): Promise<Page<ChargeView>>;
}
