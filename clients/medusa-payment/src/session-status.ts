import { hasUnrefundedPayment } from './refund-amounts.js';
import type { Payment } from './session-data.js';

/** Statuses of a Medusa payment session that this provider uses. */
export type SessionStatus = 'authorized' | 'captured' | 'pending' | 'requires_more' | 'error' | 'canceled';
export type WebhookAction =
  'authorized' | 'captured' | 'pending' | 'requires_more' | 'failed' | 'canceled' | 'not_supported';

/** Session status for each payment status that is not final, or final but unpaid. */
const UNPAID: Readonly<Record<string, SessionStatus>> = {
  pending: 'requires_more',
  created: 'requires_more',
  processing: 'pending',
  underpaid: 'error',
  failed: 'error',
  expired: 'canceled',
};

/**
 * Maps a payment to a session status. A payment counts as paid only if it is `fulfilled` and not refunded. Unknown statuses count as
 * pending. @param paid status of a paid session
 */
export function sessionStatusOf(payment: Payment, paid: 'authorized' | 'captured'): SessionStatus {
  const { status, fulfilled } = payment;
  if (fulfilled) return hasUnrefundedPayment(payment) ? paid : 'canceled';
  return (Object.hasOwn(UNPAID, status) ? UNPAID[status] : undefined) ?? 'pending';
}

export function webhookActionOf(status: SessionStatus): WebhookAction {
  return status === 'error' ? 'failed' : status;
}

const UNPAID_COLLECTIONS = ['not_paid', 'awaiting', 'canceled', 'failed'];

/**
 * Returns whether no other session has paid the cart or has a pending payment. Otherwise, the end of this session has no effect.
 * @param collection status of the payment collection; undefined if Medusa has none
 */
export function isPaymentCollectionUnpaid(collection: string | undefined): boolean {
  return collection === undefined || UNPAID_COLLECTIONS.includes(collection);
}
