import type { PaymentRequestId, PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';

/** The checkout that one payer opened through a payment link. */
export interface PaymentLinkSession {
  readonly requestId: PaymentRequestId;
  readonly sessionId: string;
  readonly status: PaymentRequestStatus;
  readonly expiresAt: Date;
  /** Last block timestamp with which a transfer to the checkout counts. */
  readonly countsUntil: Date;
}

/**
 * Returns true if a payer who opens the link again gets the same checkout. A checkout whose address was displayed
 * is reused as long as a payment to it can count. Otherwise a payer whose payment at the last second is not in a
 * block yet would pay twice.
 * @param forceNew true to replace a checkout that is paid or past its payment window
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

/** Where a payer opens a session: through a payment link, or at a point of sale that lets payers enter the amount. */
export type SessionOpenerId = PaymentLinkId | PointOfSaleId;
