import type {
  AccountId,
  OrganizationId,
  PaymentRequestId,
  PointOfSaleId,
  SubscriptionId,
} from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { Subscription } from './subscription.js';

/** Repository. What is saved is stored with its history, charges, planned requests' due work and events, together. */
export abstract class Subscriptions {
  /** @throws not_found where the account was deleted meanwhile */
  abstract add(subscription: Subscription): Promise<void>;
  /** Row-locked until the unit of work ends. @throws not_found, also for another tenant's, or another point of sale's where one is named */
  abstract lock(scope: Scope, id: SubscriptionId, pointOfSale?: PointOfSaleId): Promise<Subscription>;
  /** By the payer's page. Row-locked until the unit of work ends. @returns null where there is none */
  abstract lockByCode(code: string): Promise<Subscription | null>;
  /** Whose next step has come, but for those that are parked; row-locked, those that others have locked left out. */
  abstract lockDue(limit: number): Promise<SubscriptionId[]>;
  /** Row-locked, in the order of their ids. */
  abstract lockAll(ids: readonly SubscriptionId[]): Promise<Subscription[]>;
  /** Leaves it out of `lockDue` for so long. */
  abstract park(id: SubscriptionId, seconds: number): Promise<void>;
  /** Those that the payment requests belong to, row-locked in the order of their ids. */
  abstract lockCharged(requests: readonly PaymentRequestId[]): Promise<Subscription[]>;
  abstract save(subscriptions: readonly Subscription[]): Promise<void>;
  /** What a planned request is to ask for; null where it need not be opened any more. */
  abstract findPlanned(request: PaymentRequestId): Promise<PlannedChargeRequest | null>;
  /** Keeps why a planned request could not be opened, as a sentence for people. */
  abstract noteRefusal(request: PaymentRequestId, why: string): Promise<void>;
}

/** What is asked of payments for a request that was planned. */
export interface PlannedChargeRequest {
  readonly id: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly uniqueAssetId: string;
  /** Smallest units. */
  readonly amount: bigint;
  readonly decimals: number;
  /** The subscription's reference, else its id. */
  readonly referenceId: string;
}
