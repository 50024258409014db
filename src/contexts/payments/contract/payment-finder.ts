import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

export const MAX_FOUND_PAYMENTS = 20;

export interface FoundPayment {
  readonly id: PaymentRequestId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly status: PaymentRequestStatus;
  readonly referenceId?: string;
  readonly createdAt: Date;
}

/** Accepts a request id, session id, beginning of a reference, address or transaction hash. */
export abstract class PaymentFinder {
  /**
   * Returns at most `MAX_FOUND_PAYMENTS`: those with exactly this reference, then the others, newest first. If more
   * references begin like this, the first ones in byte order. Also finds the text in upper case, in lower case and
   * with initial capitals.
   */
  abstract find(scope: TenantScope, typed: string): Promise<FoundPayment[]>;
}
