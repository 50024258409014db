import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

/** Input for a payment request of another context, for example for an instalment of a subscription. */
export interface ChargeRequestInput {
  /**
   * Id of the request. The caller generates and stores it before the call, so that a retry after a crash creates no
   * second request.
   */
  readonly id: PaymentRequestId;
  /** Account that owns the point of sale. */
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId;
  /** Asset to pay, one of the payment options of the point of sale. */
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

export interface CheckedCharge extends ChargedAmount {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  /** Merchant name displayed to payers. */
  readonly merchantName: string;
}

export interface NewChargeRequest extends ChargedAmount {
  readonly id: PaymentRequestId;
  readonly status: PaymentRequestStatus;
  /** NASPIP token with the payment instruction for the remaining amount. */
  readonly token: string;
  /** URL of the hosted page. The page is not available later than one day after the request has ended. */
  readonly hostedCheckoutUrl: string;
  /** Deposit address in the display format. */
  readonly address: string;
  /** Sum of all transfers seen, final or not, in smallest units. */
  readonly receivedAmount: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/**
 * Creates payment requests (charges) for other contexts. Must be called before or after a unit of work, never
 * inside one.
 */
export abstract class ChargeRequests {
  /**
   * Returns the charge that `open` would create now. Stores nothing.
   * @throws the errors of `open`
   */
  abstract check(input: Omit<ChargeRequestInput, 'id' | 'referenceId'>): Promise<CheckedCharge>;

  /**
   * Creates the payment request. If a request with this id exists, returns that request and ignores the other
   * input. Idempotent and safe for concurrent calls.
   * @throws not_found, also if the id belongs to a request of another owner; validation_failed;
   * settlement_address_missing; state_conflict, also on a physical point of sale; unavailable
   */
  abstract open(input: ChargeRequestInput): Promise<NewChargeRequest>;

  /** Returns those of the requests that belong to the organization, in any order. Runs one statement. */
  abstract find(
    organizationId: OrganizationId,
    ids: readonly PaymentRequestId[],
  ): Promise<NewChargeRequest[]>;
}
