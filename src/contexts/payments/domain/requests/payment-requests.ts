import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { AnsweredKey } from '#shared/kernel/keyed-creation.js';
import type { Checkout } from './payment-request-facts.js';
import type { PaymentRequest } from './payment-request.js';
import type { UnreversedDeposits } from './booking/reversal-rule.js';

/**
 * Reason why a request is not stored. The second reason means that the network exceeds its maximum lag or its
 * endpoints disagree for too long.
 */
export type CreationRefusal = 'point_of_sale_changed' | 'network_not_watched';

/** Thrown if a request with this id already exists. Nothing was stored. */
export class RequestExists extends Error {}

export interface NewPaymentRequest {
  readonly request: PaymentRequest;
  readonly token: string;
  readonly checkout?: Checkout;
  /** Recipient of the merchant's receipt email, in lower case. */
  readonly payerEmail?: string | undefined;
  /** Idempotency key with the response that repeated calls receive. */
  readonly answeredKey?: AnsweredKey;
}

export abstract class PaymentRequests {
  /**
   * Stores a new request with its address, history, event and checkout in one atomic statement, which joins an open
   * unit of work.
   * @param pointOfSaleVersion must be current, so that no address depends on replaced settlement terms
   * @returns null if the request was stored
   * @throws KeyTaken, and RequestExists for a checkout; nothing is stored then
   */
  abstract add(created: NewPaymentRequest, pointOfSaleVersion: string): Promise<CreationRefusal | null>;

  /**
   * Checks that a request may get an address now, in the unit of work that stores the address.
   * @returns null if it may, otherwise the reason why not
   */
  abstract findCreationRefusal(
    request: PaymentRequest,
    pointOfSaleVersion: string,
    network: string,
  ): Promise<CreationRefusal | null>;

  /**
   * Loads requests of any tenant with their counted transfers. Locks their rows in the order of ids until the unit
   * of work ends.
   */
  abstract lock(ids: readonly PaymentRequestId[]): Promise<PaymentRequest[]>;

  /**
   * Loads one request of an owner and locks its row.
   * @throws not_found, also for a request of another tenant or point of sale
   */
  abstract lockOwned(owner: Scope, pointOfSale: PointOfSaleId, id: PaymentRequestId): Promise<PaymentRequest>;

  /** Returns true if an authorization for the locked request is queued or sent. */
  abstract hasPendingAuthorization(id: PaymentRequestId): Promise<boolean>;

  /** Counts the asset selections of the locked request. */
  abstract countSelections(id: PaymentRequestId): Promise<number>;

  /** Returns the amounts of aggregated deposits that are not reversed, by deposit id. */
  abstract unreversedDeposits(ids: readonly string[]): Promise<UnreversedDeposits>;

  /**
   * Locks a physical point of sale against concurrent creations until the unit of work ends. Loads and locks its
   * open requests.
   * @returns null if a concurrent creation holds the lock, because waiting would occupy a database connection
   */
  abstract lockOpenAtPointOfSale(pointOfSale: PointOfSaleId): Promise<PaymentRequest[] | null>;

  /** Loads at most `limit` open requests of all tenants in this asset, and locks their rows. */
  abstract lockOpenInAsset(uniqueAssetId: string, limit: number): Promise<PaymentRequest[]>;

  /**
   * Loads at most `limit` requests of all tenants without a selected asset whose payment window ended before
   * `expiredBefore`, and locks their rows.
   */
  abstract lockUnselected(expiredBefore: Date, limit: number): Promise<PaymentRequest[]>;

  abstract countOpenByAsset(): Promise<Map<string, number>>;

  /**
   * Deletes requests that ended unpaid and whose addresses received nothing. Their history, events and addresses
   * stay. If an address receives funds later, `lock` restores the request without its token. Locks rows in the
   * order of ids.
   * @throws Error outside a unit of work
   */
  abstract prune(ids: readonly PaymentRequestId[]): Promise<void>;

  /**
   * Stores the changes since loading, with their events and receipts.
   * @throws Error outside a unit of work
   */
  abstract save(requests: readonly PaymentRequest[]): Promise<void>;
}
