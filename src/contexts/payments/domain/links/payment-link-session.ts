import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
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
 * Whether a payer who opens the link again is to see this checkout rather than a new one. Who was shown an address
 * sees it until no payment to it can count: a payment sent at the last second is not in a block yet, and a new
 * checkout would be paid a second time. Who asks for a new one leaves behind what is paid and what is past its window.
 */
export function isFoundAgain(session: PaymentLinkSession, now: Date, wantsNew: boolean): boolean {
  switch (session.status) {
    case 'pending':
      return now < session.expiresAt;
    case 'created':
      return now < (wantsNew ? session.expiresAt : session.countsUntil);
    case 'processing':
      return true;
    case 'completed':
    case 'overpaid':
    case 'underpaid':
      return !wantsNew;
    case 'expired':
    case 'failed':
      return false;
  }
}
