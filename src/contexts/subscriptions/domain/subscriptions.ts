import type {
  AccountId,
  OrganizationId,
  PaymentRequestId,
  PointOfSaleId,
  SubscriptionId,
} from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { Subscription } from './subscription.js';

export abstract class Subscriptions {
  abstract add(subscription: Subscription): Promise<void>;
  /** @throws not_found, also for another tenant's subscription, or for a point of sale other than `pointOfSale` */
  abstract lock(scope: TenantScope, id: SubscriptionId, pointOfSale?: PointOfSaleId): Promise<Subscription>;
  abstract lockByPageCode(code: string): Promise<Subscription | null>;
  /** Skips parked subscriptions and rows locked by other processes. */
  abstract lockDue(limit: number): Promise<SubscriptionId[]>;
  /** Row-locks subscriptions in the order of their ids. */
  abstract lockByIds(ids: readonly SubscriptionId[]): Promise<Subscription[]>;
  /** Excludes the subscription from `lockDue` for this many seconds. */
  abstract parkAfterFailure(id: SubscriptionId, seconds: number): Promise<void>;
  /** Locks rows in the order of subscription ids. */
  abstract lockByChargeRequests(requests: readonly PaymentRequestId[]): Promise<Subscription[]>;
  abstract save(subscriptions: readonly Subscription[]): Promise<void>;
  /** Null if the planned request no longer needs to be opened. */
  abstract findPlannedChargeRequest(request: PaymentRequestId): Promise<PlannedChargeRequest | null>;
  abstract recordChargeRequestRefusal(request: PaymentRequestId, why: string): Promise<void>;
}

export interface PlannedChargeRequest {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly uniqueAssetId: string;
  readonly amount: bigint;
  readonly decimals: number;
  /** Default: the subscription's id. */
  readonly referenceId: string;
}
