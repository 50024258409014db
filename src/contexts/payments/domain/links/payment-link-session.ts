import type { PaymentRequestId, PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';

/** Checkout of one payer for a payment link. */
export interface PaymentLinkSession {
  readonly requestId: PaymentRequestId;
  readonly sessionId: string;
  readonly status: PaymentRequestStatus;
  readonly expiresAt: Date;
  /** Last block timestamp at which a transfer counts. */
  readonly countsUntil: Date;
}

/**
 * Returns true if a payer who opens the link again gets this checkout. A checkout whose address was displayed is reused until
 * no payment to it can count. Otherwise a payer whose last-second payment is not in a block yet would pay twice.
 * @param forceNew replaces a checkout that is paid or past its window
 */
export function isReused(session: PaymentLinkSession, now: Date, forceNew: boolean): boolean {
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

/** A payer opens a session by a payment link or at an open-amount point of sale. */
export type OpenedAt = PaymentLinkId | PointOfSaleId;
