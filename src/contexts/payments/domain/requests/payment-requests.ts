import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { AnsweredIdempotencyKey } from '#shared/kernel/idempotent-creation.js';
import type { Checkout } from './payment-request-facts.js';
import type { PaymentRequest } from './payment-request.js';
import type { UnreversedDeposits } from './booking/reversal-rule.js';

/** `network_not_watched`: the network exceeds its maximum lag or its endpoints disagree for too long. */
export type CreationRefusal = 'point_of_sale_changed' | 'network_not_watched';

export class RequestExistsError extends Error {}

export interface NewPaymentRequest {
  readonly request: PaymentRequest;
  readonly token: string;
  readonly checkout?: Checkout;
  /** The merchant's receipt email, in lower case. */
  readonly payerEmail?: string | undefined;
  readonly idempotencyKey?: AnsweredIdempotencyKey;
}

export abstract class PaymentRequests {
  /**
   * One atomic statement, which joins an open unit of work.
   * @param pointOfSaleVersion must be current, so that no address depends on replaced settlement terms
   * @throws KeyTaken, RequestExistsError; nothing is stored then
   */
  abstract add(created: NewPaymentRequest, pointOfSaleVersion: string): Promise<CreationRefusal | null>;

  /** Checks in the unit of work that stores the address. Null if a request may get an address now. */
  abstract findCreationRefusal(
    request: PaymentRequest,
    pointOfSaleVersion: string,
    network: string,
  ): Promise<CreationRefusal | null>;

  /** Requests of any tenant. Locks rows in the order of ids until the unit of work ends. */
  abstract lock(ids: readonly PaymentRequestId[]): Promise<PaymentRequest[]>;

  abstract lockOwned(
    owner: TenantScope,
    pointOfSale: PointOfSaleId,
    id: PaymentRequestId,
  ): Promise<PaymentRequest>;

  /** True if an authorization for the locked request is queued or sent. */
  abstract hasPendingAuthorization(id: PaymentRequestId): Promise<boolean>;

  abstract countSelections(id: PaymentRequestId): Promise<number>;

  abstract unreversedDeposits(ids: readonly string[]): Promise<UnreversedDeposits>;

  /**
   * Locks until the unit of work ends. Null if a concurrent creation holds the lock, because waiting would occupy a
   * connection.
   */
  abstract lockOpenAtPointOfSale(pointOfSale: PointOfSaleId): Promise<PaymentRequest[] | null>;

  abstract lockOpenInAsset(uniqueAssetId: string, limit: number): Promise<PaymentRequest[]>;

  /** Requests without a selected asset whose payment window ended before `expiredBefore`. */
  abstract lockUnselected(expiredBefore: Date, limit: number): Promise<PaymentRequest[]>;

  abstract countOpenByAsset(): Promise<Map<string, number>>;

  /**
   * History, events and addresses stay. If an address receives funds later, `lock` restores the request without its
   * token. Locks rows in the order of ids.
   */
  abstract prune(ids: readonly PaymentRequestId[]): Promise<void>;

  abstract save(requests: readonly PaymentRequest[]): Promise<void>;
}
