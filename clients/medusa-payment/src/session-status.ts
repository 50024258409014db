import { isHeld } from './refund-amounts.js';
import type { Payment } from './session-data.js';

/** The states that this provider lets a payment session of Medusa have. */
export type SessionStatus = 'authorized' | 'captured' | 'pending' | 'requires_more' | 'error' | 'canceled';
/** The actions of a webhook that Medusa knows. */
export type WebhookAction =
  'authorized' | 'captured' | 'pending' | 'requires_more' | 'failed' | 'canceled' | 'not_supported';

/** A status of the service that ends without what was asked for, or is no end. */
const UNPAID: Readonly<Record<string, SessionStatus>> = {
  pending: 'requires_more',
  created: 'requires_more',
  processing: 'pending',
  underpaid: 'error',
  failed: 'error',
  expired: 'canceled',
};

/**
 * `fulfilled` alone says that the money is there and stays: a status that was added later, and one that is seen and not final, are
 * waited for. A payment that is being paid back pays for nothing. @param paid the status of a paid session
 */
export function sessionStatusOf(payment: Payment, paid: 'authorized' | 'captured'): SessionStatus {
  const { status, fulfilled } = payment;
  if (fulfilled) return isHeld(payment) ? paid : 'canceled';
  return (Object.hasOwn(UNPAID, status) ? UNPAID[status] : undefined) ?? 'pending';
}

export function webhookActionOf(status: SessionStatus): WebhookAction {
  return status === 'error' ? 'failed' : status;
}

const PAID_BY_NOTHING = ['not_paid', 'awaiting', 'canceled', 'failed'];

/**
 * True while no other session has paid for the cart, or is about to: otherwise the end of this one changes nothing.
 * @param collection the status of the payment collection; absent where Medusa names none
 */
export function isStillUnpaid(collection: string | undefined): boolean {
  return collection === undefined || PAID_BY_NOTHING.includes(collection);
}
