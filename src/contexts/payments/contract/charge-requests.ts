import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

/** A payment request that another context asks for, as for a due date of a subscription. */
export interface ChargeRequestInput {
  /** Chosen and stored by the caller before it asks, so that asking again after a crash opens nothing twice. */
  readonly id: PaymentRequestId;
  /** The account that owns the point of sale. */
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId;
  /** One of the point of sale's payment options. */
  readonly uniqueAssetId: string;
  /** Decimal string in whole units of the asset. */
  readonly amount: string;
  readonly referenceId: string;
}

/** The amount asked for. */
export interface ChargedAmount {
  readonly uniqueAssetId: string;
  readonly network: string;
  /** The asset's symbol. */
  readonly currency: string;
  /** Fraction digits of the asset. */
  readonly decimals: number;
  /** Smallest units. */
  readonly amount: bigint;
}

/** The charge that could be opened, and its merchant. */
export interface CheckedCharge extends ChargedAmount {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  /** The name that payers see. */
  readonly merchantName: string;
}

/** A payment request in one asset, with a hosted page. */
export interface NewChargeRequest extends ChargedAmount {
  readonly id: PaymentRequestId;
  readonly status: PaymentRequestStatus;
  /** NASPIP token with the payment instruction: for the whole amount, or for the rest once a part was received. */
  readonly token: string;
  /** The page shows nothing from a day after the end of the request. */
  readonly hostedCheckoutUrl: string;
  /** The address to pay to, in the spelling for people. */
  readonly address: string;
  /** All that was seen, final or not; smallest units. */
  readonly receivedAmount: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The caller uses it before or after its unit of work, never inside it. */
export abstract class ChargeRequests {
  /**
   * Answers the charge that `open` would open now. Stores nothing.
   * @throws the errors of `open`
   */
  abstract check(input: Omit<ChargeRequestInput, 'id' | 'referenceId'>): Promise<CheckedCharge>;

  /**
   * Opens the request. Where the id has opened one already, answers that one, whatever else is asked for now. Safe to
   * repeat, and for many at once.
   * @throws not_found (also where the id is of another owner's request), validation_failed, settlement_address_missing,
   * state_conflict (also on a physical point of sale), unavailable
   */
  abstract open(input: ChargeRequestInput): Promise<NewChargeRequest>;

  /** One statement. @returns of these ids the requests of this organization, in any order */
  abstract find(
    organizationId: OrganizationId,
    ids: readonly PaymentRequestId[],
  ): Promise<NewChargeRequest[]>;
}
