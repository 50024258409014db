import type { Payment } from './payment.js';
import { roundedPrice, type Price } from './price.js';
import { hasUnrefundedPayment } from './refund-amounts.js';

export type OrderState = 'waiting' | 'confirming' | 'paid' | 'unpaid' | 'closed';
export type OrderNote = 'received_more' | 'received_less' | 'paid_elsewhere' | 'price_differs';

export interface OrderOfShop {
  /** `closed`: paid by another method, or canceled. */
  readonly state: OrderState;
  /** The payment request for which the order waits, or by which it was paid. */
  readonly paymentId?: string | undefined;
  readonly price: Price;
}
export interface Outcome {
  readonly state: OrderState;
  readonly note?: OrderNote;
}

/** State for each payment status that is not final, or final but unpaid. */
const UNPAID: Readonly<Record<string, 'waiting' | 'confirming' | 'unpaid'>> = {
  pending: 'waiting',
  created: 'waiting',
  processing: 'confirming',
  underpaid: 'unpaid',
  failed: 'unpaid',
  expired: 'unpaid',
};

/** Maps a payment to an order state. Unknown statuses count as confirming. */
export function stateOfPayment(payment: Payment): Exclude<OrderState, 'closed'> {
  if (payment.fulfilled) return hasUnrefundedPayment(payment) ? 'paid' : 'unpaid';
  return (Object.hasOwn(UNPAID, payment.status) ? UNPAID[payment.status] : undefined) ?? 'confirming';
}

/** Decides what a payment changes in an order. @param payment as read from the service */
export function outcomeOf(order: OrderOfShop, payment: Payment): Outcome {
  const { state } = order;
  const next = stateOfPayment(payment);
  const isOfPayment = order.paymentId === payment.id;
  if (next === 'paid') {
    if (state === 'paid' && isOfPayment) return { state };
    if (state === 'paid' || state === 'closed') return { state, note: 'paid_elsewhere' };
    if (!hasPrice(payment, order.price)) return { state, note: 'price_differs' };
    return { state: 'paid', ...(payment.status === 'overpaid' && { note: 'received_more' }) };
  }
  const note = isUnpaidWithFunds(next, payment) && { note: 'received_less' as const };
  const isOpen = state !== 'paid' && state !== 'closed';
  return { state: isOpen && isOfPayment ? next : state, ...note };
}

function hasPrice({ amount, coin_code = '' }: Payment, price: Price): boolean {
  const coin = price.coin_code.toUpperCase();
  return coin_code === coin && roundedPrice(amount, coin) === roundedPrice(price.amount, coin);
}

/** @returns whether the payer has sent less than the price, or has sent it too late */
function isUnpaidWithFunds(next: OrderState, payment: Payment): boolean {
  return next === 'unpaid' && !payment.fulfilled && /[1-9]/.test(payment.received_amount ?? '');
}
