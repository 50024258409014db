import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

export interface ChargeRequestInput {
  /** Stored by the caller before the call, so that a retry after a crash creates no second request. */
  readonly id: PaymentRequestId;
  readonly scope: TenantScope;
  readonly pointOfSaleId: PointOfSaleId;
  /** One of the payment options of the point of sale. */
  readonly uniqueAssetId: string;
  /** Decimal string in whole units of the asset. */
  readonly amount: string;
  readonly referenceId: string;
}

export interface ChargedAmount {
  readonly uniqueAssetId: string;
  readonly network: string;
  readonly currency: string;
  readonly decimals: number;
  /** Smallest units. */
  readonly amount: bigint;
}

export interface ChargePreview extends ChargedAmount {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly merchantName: string;
}

export interface ChargeRequestView extends ChargedAmount {
  readonly id: PaymentRequestId;
  readonly status: PaymentRequestStatus;
  readonly token: string;
  /** The page is not available later than one day after the request has ended. */
  readonly hostedCheckoutUrl: string;
  readonly address: string;
  /** Sum of all transfers seen, final or not, in smallest units. */
  readonly receivedAmount: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Must be called before or after a unit of work, never inside one. */
export abstract class ChargeRequests {
  /** Stores nothing. @throws the errors of `open` */
  abstract preview(input: Omit<ChargeRequestInput, 'id' | 'referenceId'>): Promise<ChargePreview>;

  /**
   * Idempotent and safe for concurrent calls. An existing request with this id is returned.
   * @throws not_found, also if the id belongs to another owner; validation_failed; settlement_address_missing;
   * state_conflict, also on a physical point of sale; unavailable
   */
  abstract open(input: ChargeRequestInput): Promise<ChargeRequestView>;

  /** Omits requests of other organizations. In any order. */
  abstract find(
    organizationId: OrganizationId,
    ids: readonly PaymentRequestId[],
  ): Promise<ChargeRequestView[]>;
}
