import { stateOfPayment, type OrderState } from '../../plugin-contract/src/order-states.js';
import type { Payment } from './session-data.js';

/** Statuses of a Medusa payment session that this provider uses. */
export type SessionStatus = 'authorized' | 'captured' | 'pending' | 'requires_more' | 'error' | 'canceled';
export type WebhookAction =
  'authorized' | 'captured' | 'pending' | 'requires_more' | 'failed' | 'canceled' | 'not_supported';

/** Maps a payment to a session status. @param paid status of a paid session */
export function sessionStatusOf(payment: Payment, paid: 'authorized' | 'captured'): SessionStatus {
  const statuses: Readonly<Record<Exclude<OrderState, 'closed'>, SessionStatus>> = {
    waiting: 'requires_more',
    confirming: 'pending',
    paid,
    unpaid: payment.status === 'expired' ? 'canceled' : 'error',
    refunded: 'canceled',
  };
  return statuses[stateOfPayment(payment)];
}

const UNPAID_COLLECTIONS = ['not_paid', 'awaiting', 'canceled', 'failed'];

/**
 * Returns the state of the order before an event: closed if another session has paid the cart or has a pending payment.
 * @param collection status of the payment collection; undefined if Medusa has none
 */
export function orderStateOf(collection: string | undefined): OrderState {
  return collection === undefined || UNPAID_COLLECTIONS.includes(collection) ? 'waiting' : 'closed';
}
