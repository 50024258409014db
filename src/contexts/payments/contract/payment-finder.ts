import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

export interface FoundPayment {
  readonly id: PaymentRequestId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly status: PaymentRequestStatus;
  readonly referenceId?: string;
  readonly createdAt: Date;
}

/** Finds payments by any id that a payer or colleague quotes: request id, session id, reference, address or transaction hash. */
export abstract class PaymentFinder {
  /** Returns at most twenty payments, newest first. Runs one statement, or none if the input is blank. */
  abstract find(scope: Scope, typed: string): Promise<FoundPayment[]>;
}
