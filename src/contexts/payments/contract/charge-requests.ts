import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

/** Input for a payment request from another context, for example a due date of a subscription. */
export interface ChargeRequestInput {
  /** Generated and stored by the caller before the call, so that a retry after a crash opens nothing twice. */
  readonly id: PaymentRequestId;
  /** Account that owns the point of sale. */
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId;
  /** One of the point of sale's payment options. */
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
  /** Name displayed to payers. */
  readonly merchantName: string;
}

export interface NewChargeRequest extends ChargedAmount {
  readonly id: PaymentRequestId;
  readonly status: PaymentRequestStatus;
  /** NASPIP token with the payment instruction for the remaining amount. */
  readonly token: string;
  /** The page is empty from one day after the end of the request. */
  readonly hostedCheckoutUrl: string;
  /** Deposit address in the display format. */
  readonly address: string;
  /** Total seen, final or not, in smallest units. */
  readonly receivedAmount: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Opens charges for other contexts. Call it before or after a unit of work, never inside. */
export abstract class ChargeRequests {
  /**
   * Returns the charge that `open` would open now. Stores nothing.
   * @throws the errors of `open`
   */
  abstract check(input: Omit<ChargeRequestInput, 'id' | 'referenceId'>): Promise<CheckedCharge>;

  /**
   * Opens the request. If the id has already opened a request, returns that request and ignores the other input. Idempotent and
   * safe for concurrent calls.
   * @throws not_found (also if another owner's request has the id), validation_failed, settlement_address_missing, state_conflict
   * (also on a physical point of sale), unavailable
   */
  abstract open(input: ChargeRequestInput): Promise<NewChargeRequest>;

  /** Runs one statement. @returns the organization's requests among these ids, in any order */
  abstract find(
    organizationId: OrganizationId,
    ids: readonly PaymentRequestId[],
  ): Promise<NewChargeRequest[]>;
}
