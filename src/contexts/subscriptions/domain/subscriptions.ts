import type {
  AccountId,
  OrganizationId,
  PaymentRequestId,
  PointOfSaleId,
  SubscriptionId,
} from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { Subscription } from './subscription.js';

/** Stores subscriptions together with their history, charges, events and the scheduled jobs of planned requests. */
export abstract class Subscriptions {
  /** @throws not_found if the account has been deleted */
  abstract add(subscription: Subscription): Promise<void>;
  /**
   * Row-locks a subscription until the unit of work ends.
   * @throws not_found, also for another tenant's subscription, or for a point of sale other than `pointOfSale`
   */
  abstract lock(scope: Scope, id: SubscriptionId, pointOfSale?: PointOfSaleId): Promise<Subscription>;
  /**
   * Row-locks the subscription with this page code until the unit of work ends.
   * @returns null if no subscription has the code
   */
  abstract lockByCode(code: string): Promise<Subscription | null>;
  /** Row-locks subscriptions with a due step. Skips parked subscriptions and rows locked by other processes. */
  abstract lockDue(limit: number): Promise<SubscriptionId[]>;
  /** Row-locks subscriptions in the order of their ids. */
  abstract lockAll(ids: readonly SubscriptionId[]): Promise<Subscription[]>;
  /** Excludes the subscription from `lockDue` for this many seconds. */
  abstract park(id: SubscriptionId, seconds: number): Promise<void>;
  /** Row-locks the subscriptions that these payment requests charge, in the order of subscription ids. */
  abstract lockCharged(requests: readonly PaymentRequestId[]): Promise<Subscription[]>;
  abstract save(subscriptions: readonly Subscription[]): Promise<void>;
  /** @returns null if the planned request no longer needs to be opened */
  abstract findPlanned(request: PaymentRequestId): Promise<PlannedChargeRequest | null>;
  /** Stores the reason, as a sentence, why a planned request could not be opened. */
  abstract noteRefusal(request: PaymentRequestId, why: string): Promise<void>;
}

export interface PlannedChargeRequest {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly uniqueAssetId: string;
  /** In smallest units of the asset. */
  readonly amount: bigint;
  readonly decimals: number;
  /** The subscription's reference of the merchant. Default: the subscription's id. */
  readonly referenceId: string;
}
