import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { AnsweredKey } from '#shared/kernel/keyed-creation.js';
import type { Checkout } from './payment-request-facts.js';
import type { PaymentRequest } from './payment-request.js';
import type { StandingDeposits } from './booking/reversal-rule.js';

/** A request was not stored because its point of sale has changed, or because no watcher reads its network within its limits. */
export type Refusal = 'point_of_sale_changed' | 'network_not_watched';

/** A request has this id already: nothing was stored. */
export class RequestExists extends Error {}

export interface NewPaymentRequest {
  readonly request: PaymentRequest;
  /** The payment token that the payer sees. */
  readonly token: string;
  readonly checkout?: Checkout;
  /** The merchant asks for a mail with the receipt to this address, in small letters. */
  readonly payerEmail?: string | undefined;
  /** The idempotency key under which it is created, with the answer for a repetition. */
  readonly answeredKey?: AnsweredKey;
}

export abstract class PaymentRequests {
  /**
   * Stores a new request with its address, history, events and checkout. One statement, so atomic by itself; joins
   * the open unit of work where there is one.
   * @param pointOfSaleVersion checked by the same statement, so that no address commits to replaced terms
   * @returns null when stored
   * @throws KeyTaken, RequestExists for a checkout, and then nothing is stored
   */
  abstract add(created: NewPaymentRequest, pointOfSaleVersion: string): Promise<Refusal | null>;

  /**
   * Checks that an address may be shown for an existing request now, in the unit of work that stores it.
   * @returns null where it may
   */
  abstract refusalOf(
    request: PaymentRequest,
    pointOfSaleVersion: string,
    network: string,
  ): Promise<Refusal | null>;

  /**
   * The requests with the transfers that count, row-locked by ascending id until the unit of work ends.
   * For the network's watcher, which acts for every tenant.
   */
  abstract lock(ids: readonly PaymentRequestId[]): Promise<PaymentRequest[]>;

  /** One request of an owner, row-locked likewise. @throws not_found, also for another tenant's and for one of another point of sale */
  abstract lockOn(owner: Scope, pointOfSale: PointOfSaleId, id: PaymentRequestId): Promise<PaymentRequest>;

  /** True while an authorization that a payer signed for the locked request is queued or sent. */
  abstract isSignedFor(id: PaymentRequestId): Promise<boolean>;

  /** The number of times that an asset was selected for the locked request. */
  abstract countSelections(id: PaymentRequestId): Promise<number>;

  /** The amounts of gathered deposits of locked requests that are not reversed, by deposit. */
  abstract standingDeposits(ids: readonly string[]): Promise<StandingDeposits>;

  /**
   * Keeps other creations on one physical point of sale out until the unit of work ends, and locks its open requests.
   * @returns null at once where another creation holds the lock: waiting would occupy a connection
   */
  abstract lockOpenOn(pointOfSale: PointOfSaleId): Promise<PaymentRequest[] | null>;

  /** Open requests in an asset, at most `limit`, row-locked as by `lock`; of every tenant, for the operator. */
  abstract lockOpenIn(uniqueAssetId: string, limit: number): Promise<PaymentRequest[]>;

  /** Requests without an asset whose window has closed, at most `limit`, row-locked as by `lock`; of every tenant. */
  abstract lockUnselected(expiredBefore: Date, limit: number): Promise<PaymentRequest[]>;

  /** The number of open requests in each asset. */
  abstract openByAsset(): Promise<Map<string, number>>;

  /**
   * Removes those of these requests that ended unpaid and to whose addresses nothing was ever sent. Their history, events
   * and addresses stay; once money comes to one of the addresses, `lock` makes the request again without its token.
   * Locks all of them by ascending id. @throws outside a unit of work
   */
  abstract prune(ids: readonly PaymentRequestId[]): Promise<void>;

  /** Stores what has changed since it was loaded, with its events; an outcome with its receipt. @throws outside a unit of work */
  abstract save(requests: readonly PaymentRequest[]): Promise<void>;
}
