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

/**
 * Finds payments by any id that a payer or colleague quotes: of a request or a checkout session, a reference, an address, a
 * transaction's hash.
 */
export abstract class PaymentFinder {
  /** Newest first, at most twenty. One statement, or none where nothing was typed. */
  abstract find(scope: Scope, typed: string): Promise<FoundPayment[]>;
}
