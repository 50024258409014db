import type { PaymentRequestId, PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';

export interface PaymentLinkSession {
  readonly requestId: PaymentRequestId;
  readonly sessionId: string;
  readonly status: PaymentRequestStatus;
  readonly expiresAt: Date;
  readonly countsUntil: Date;
}

/**
 * A checkout whose address was displayed is reused as long as a payment to it can count. Otherwise a payer whose
 * payment is not in a block yet would pay twice.
 */
export function isSessionReused(session: PaymentLinkSession, now: Date, forceNew: boolean): boolean {
  switch (session.status) {
    case 'pending':
      return now < session.expiresAt;
    case 'created':
      return now < (forceNew ? session.expiresAt : session.countsUntil);
    case 'processing':
      return true;
    case 'completed':
    case 'overpaid':
    case 'underpaid':
      return !forceNew;
    case 'expired':
    case 'failed':
      return false;
  }
}

/** A payment link, or a point of sale that lets payers enter the amount. */
export type SessionEntryPointId = PaymentLinkId | PointOfSaleId;
