import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';

/** The checkout that one payer has for a payment link. */
export interface PaymentLinkSession {
  readonly requestId: PaymentRequestId;
  readonly sessionId: string;
  readonly status: PaymentRequestStatus;
  readonly expiresAt: Date;
  /** No transfer counts whose block has a later timestamp. */
  readonly countsUntil: Date;
}

/**
 * Whether a payer who opens the link again sees this checkout rather than a new one. A checkout whose address was
 * shown is reused until no payment to it can count: a payment sent at the last second is not in a block yet, and a new
 * checkout would be paid a second time.
 * @param forceNew does not reuse a checkout that is paid or past its window
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
