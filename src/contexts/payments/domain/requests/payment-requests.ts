import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { AnsweredKey } from '#shared/kernel/keyed-creation.js';
import type { Checkout } from './payment-request-facts.js';
import type { PaymentRequest } from './payment-request.js';
import type { StandingDeposits } from './booking/reversal-rule.js';

/** Reason why a request is not stored: its point of sale has changed, or its network is not watched within its limits. */
export type CreationRefusal = 'point_of_sale_changed' | 'network_not_watched';

/** The id is already used. Nothing was stored. */
export class RequestExists extends Error {}

export interface NewPaymentRequest {
  readonly request: PaymentRequest;
  readonly token: string;
  readonly checkout?: Checkout;
  /** Recipient of the merchant's receipt email, in lower case. */
  readonly payerEmail?: string | undefined;
  /** Idempotency key with the response for repeated calls. */
  readonly answeredKey?: AnsweredKey;
}

export abstract class PaymentRequests {
  /**
   * Stores a new request with its address, history, event and checkout. One atomic statement, which joins an open unit of
   * work.
   * @param pointOfSaleVersion checked by the same statement, so that no address commits to replaced terms
   * @returns null if stored
   * @throws KeyTaken, and RequestExists for a checkout; nothing is stored then
   */
  abstract add(created: NewPaymentRequest, pointOfSaleVersion: string): Promise<CreationRefusal | null>;

  /**
   * Checks that a request may get an address now, in the unit of work that stores the address.
   * @returns null if it may
   */
  abstract refusalOf(
    request: PaymentRequest,
    pointOfSaleVersion: string,
    network: string,
  ): Promise<CreationRefusal | null>;

  /** Loads requests of any tenant with their counted transfers. Row-locks them by ascending id until the unit of work ends. */
  abstract lock(ids: readonly PaymentRequestId[]): Promise<PaymentRequest[]>;

  /** Loads and row-locks one request of an owner. @throws not_found, also for another tenant or point of sale */
  abstract lockOn(owner: Scope, pointOfSale: PointOfSaleId, id: PaymentRequestId): Promise<PaymentRequest>;

  /** Returns true while an authorization for the locked request is queued or sent. */
  abstract isSignedFor(id: PaymentRequestId): Promise<boolean>;

  /** Counts the asset selections of the locked request. */
  abstract countSelections(id: PaymentRequestId): Promise<number>;

  /** Returns the amounts of aggregated deposits of locked requests that are not reversed, by deposit. */
  abstract standingDeposits(ids: readonly string[]): Promise<StandingDeposits>;

  /**
   * Locks a physical point of sale against other creations until the unit of work ends, and loads and locks its open requests.
   * @returns null if another creation holds the lock, because waiting would occupy a connection
   */
  abstract lockOpenOn(pointOfSale: PointOfSaleId): Promise<PaymentRequest[] | null>;

  /** Row-locks at most `limit` open requests of all tenants. */
  abstract lockOpenIn(uniqueAssetId: string, limit: number): Promise<PaymentRequest[]>;

  /** Loads and row-locks at most `limit` requests without an asset whose window has closed, of all tenants. */
  abstract lockUnselected(expiredBefore: Date, limit: number): Promise<PaymentRequest[]>;

  abstract openByAsset(): Promise<Map<string, number>>;

  /**
   * Removes requests that ended unpaid and whose addresses received nothing. Their history, events and addresses stay. If an
   * address receives funds later, `lock` restores the request without its token. Locks by ascending id.
   * @throws outside a unit of work
   */
  abstract prune(ids: readonly PaymentRequestId[]): Promise<void>;

  /** Stores the changes since loading, with their events and receipts. @throws outside a unit of work */
  abstract save(requests: readonly PaymentRequest[]): Promise<void>;
}
