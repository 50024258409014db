import type {
  AccountId,
  OrganizationId,
  PaymentRequestId,
  PointOfSaleId,
  SubscriptionId,
  WalletId,
} from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { Wallet } from './subscription-state.js';
import type { Subscription } from './subscription.js';

/** Repository. It stores a subscription together with its history, charges, planned requests' due work and events. */
export abstract class Subscriptions {
  /** @throws not_found where the account was deleted meanwhile */
  abstract add(subscription: Subscription): Promise<void>;
  /** Row-locked until the unit of work ends. @throws not_found, also for another tenant's, or another point of sale's where one is named */
  abstract lock(scope: Scope, id: SubscriptionId, pointOfSale?: PointOfSaleId): Promise<Subscription>;
  /** Finds it by the code of the payer's page. Row-locked until the unit of work ends. @returns null where there is none */
  abstract lockByCode(code: string): Promise<Subscription | null>;
  /** Row-locks subscriptions whose next step is due, without those that are parked or that others have locked. */
  abstract lockDue(limit: number): Promise<SubscriptionId[]>;
  /** Row-locked, in the order of their ids. */
  abstract lockAll(ids: readonly SubscriptionId[]): Promise<Subscription[]>;
  /** Leaves it out of `lockDue` for so long. */
  abstract park(id: SubscriptionId, seconds: number): Promise<void>;
  /** Row-locks the subscriptions that the payment requests belong to, in the order of their ids. */
  abstract lockCharged(requests: readonly PaymentRequestId[]): Promise<Subscription[]>;
  abstract save(subscriptions: readonly Subscription[]): Promise<void>;
  /** @returns null where the request need not be opened any more */
  abstract findPlanned(request: PaymentRequestId): Promise<PlannedChargeRequest | null>;
  /** Keeps why a planned request could not be opened, as a sentence for people. */
  abstract noteRefusal(request: PaymentRequestId, why: string): Promise<void>;
}

/** A payment request that payments is to open. */
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

/** Repository of the wallets that have accepted subscriptions of an organization. */
export abstract class Wallets {
  /** Finds the wallet of that external id, and stores it first where it is not known yet. */
  abstract findOrAdd(organizationId: OrganizationId, externalId: string): Promise<Wallet>;
  /** @returns null where no wallet has that external id */
  abstract byExternalId(organizationId: OrganizationId, externalId: string): Promise<Wallet | null>;
  /** @throws not_found, also for another organization's */
  abstract find(organizationId: OrganizationId, id: WalletId): Promise<Wallet>;
}
