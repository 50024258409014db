import type { Payment } from './payment.js';
import { roundedPrice, type Price } from './price.js';
import { hasUnrefundedPayment } from './refund-amounts.js';
import { Refusal } from './refusal.js';

export type OrderState = 'waiting' | 'confirming' | 'paid' | 'unpaid' | 'refunded' | 'closed';
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
  if (payment.fulfilled) return hasUnrefundedPayment(payment) ? 'paid' : 'refunded';
  return (Object.hasOwn(UNPAID, payment.status) ? UNPAID[payment.status] : undefined) ?? 'confirming';
}

/** Decides what a payment changes in an order. @param payment as read from the service */
export function outcomeOf(order: OrderOfShop, payment: Payment): Outcome {
  const { state } = order;
  const next = stateOfPayment(payment);
  const isOfPayment = order.paymentId === payment.id;
  const isDue = !['paid', 'refunded', 'closed'].includes(state);
  if (next === 'paid') {
    const isPaid = state === 'paid' && isOfPayment;
    if (!isPaid && !isDue) return { state, note: 'paid_elsewhere' };
    if (isDue && !hasPrice(payment, order.price)) return { state, note: 'price_differs' };
    const hasMore = payment.status === 'overpaid' || payment.deposits.length > 0;
    return { state: 'paid', ...(hasMore && { note: 'received_more' }) };
  }
  if (next === 'refunded')
    return {
      state: isOfPayment && (isDue ? hasPrice(payment, order.price) : state === 'paid') ? next : state,
    };
  const note = isUnpaidWithFunds(next, payment) && { note: 'received_less' as const };
  return { state: isDue && isOfPayment ? next : state, ...note };
}

/**
 * Prevents a second payment of an order. @param payments of the order @param price of the order
 * @throws Refusal if a payment was seen or received, or if a payment of this price was refunded
 */
export function refuseSecondPayment(payments: readonly Payment[], price: Price): void {
  for (const payment of payments) {
    const state = stateOfPayment(payment);
    if (state === 'confirming')
      throw new Refusal(
        'not_allowed',
        `A transfer to payment request ${payment.id} was seen and is not final yet. Wait until it is final.`,
      );
    if (state === 'paid')
      throw new Refusal('not_allowed', `Payment request ${payment.id} of this order is already paid.`);
    if (state === 'refunded' && hasPrice(payment, price))
      throw new Refusal(
        'not_allowed',
        `Payment request ${payment.id} of this order was refunded. Place a new order.`,
      );
  }
}

function hasPrice({ amount, coin_code = '' }: Payment, price: Price): boolean {
  const coin = price.coin_code.toUpperCase();
  return coin_code === coin && roundedPrice(amount, coin) === roundedPrice(price.amount, coin);
}

/** @returns whether the payer has sent less than the price, or has sent it too late or in another asset */
function isUnpaidWithFunds(next: OrderState, payment: Payment): boolean {
  return next === 'unpaid' && (payment.deposits.length > 0 || /[1-9]/.test(payment.received_amount));
}
