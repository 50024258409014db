import { PaymentCollectionClient, PaymentCollectionError, type Delivery } from 'payment-collection-client';
import { checkoutBody, type CartItem } from '../../plugin-contract/src/checkout-body.js';
import { createClaimedRefund, type RefundOfShop } from '../../plugin-contract/src/claimed-refund.js';
import {
  outcomeOf,
  refuseSecondPayment,
  stateOfPayment,
  type OrderNote,
  type OrderOfShop,
  type OrderState,
} from '../../plugin-contract/src/order-states.js';
import type { Payment } from '../../plugin-contract/src/payment.js';
import { priceOf, type Price } from '../../plugin-contract/src/price.js';
import { Refusal } from '../../plugin-contract/src/refusal.js';
import { paymentOfWebhook } from '../../plugin-contract/src/webhook-payment.js';
import type { PaymentCollectionOptions } from './options.js';

/** Order that no other event can change until the work with it ends. */
export interface LockedOrder extends OrderOfShop {
  /** Notes that the merchant sees. */
  readonly notes: readonly string[];
  pay(payment: Payment): Promise<void>;
  addNote(note: string): Promise<void>;
}
export interface ShopOrders {
  /** Locks the order and does the work with it. Does nothing if there is no such order. */
  withOrder(code: string, work: (order: LockedOrder) => Promise<void>): Promise<void>;
}
export interface Checkout {
  readonly paymentRequestId: string;
  readonly url: string;
  readonly expiresAt: string;
}

const NOTES: Readonly<Record<OrderNote, string>> = {
  received_more: 'The payer sent more than the price. Refund the excess in the service.',
  received_less: 'The payer sent too little or too late. Refund the amount received in the service.',
  paid_elsewhere: 'The order was already paid or canceled. Refund this payment in the service.',
  price_differs: 'The order has changed since the checkout. Refund the payment, or settle the order by hand.',
};
const PERMANENT = [400, 404, 409, 422];

/** Payments of orders. The `reference_id` of a payment request is the code of its order. */
export class OrderPayments {
  private readonly client: PaymentCollectionClient;
  private readonly shop;

  constructor(private readonly options: PaymentCollectionOptions) {
    this.client = new PaymentCollectionClient({ ...options, product: 'payment-collection-vendure/0.1.0' });
    this.shop = this.client.pointOfSale(options.pointOfSaleId);
  }

  /** @returns URL of the page in the dashboard; the id if the dashboard's URL is unknown */
  pageOf(kind: 'payments' | 'refunds', id: string): string {
    const { dashboardUrl } = this.options;
    return dashboardUrl ? new URL(`/app/${kind}/${id}`, dashboardUrl).href : id;
  }

  read(id: string): Promise<Payment> {
    return this.shop.readPayment(id);
  }

  /**
   * Opens a checkout, or returns the open one for the same price. Open ones for another price are ended first.
   * @throws Refusal if the order must not be paid again
   */
  async open(code: string, asked: Price, items: readonly CartItem[]): Promise<Checkout> {
    const price = priceOf(asked.amount, asked.coin_code);
    const payments = await this.paymentsOf(code);
    refuseSecondPayment(payments, price);
    const open = payments.filter((payment) => stateOfPayment(payment) === 'waiting');
    const same = open.find(
      ({ amount, coin_code }) => amount === price.amount && coin_code === price.coin_code,
    );
    for (const { id } of open) if (id !== same?.id) await this.shop.expirePaymentRequest(id);
    if (same !== undefined) return checkoutOf(same);
    const idempotencyKey = `${code}-${payments[0]?.id ?? 'first'}-${price.amount}-${price.coin_code}`;
    const { returnUrl } = this.options;
    return checkoutOf(
      await this.shop.createCheckout(checkoutBody(code, price, { items, returnUrl }), { idempotencyKey }),
    );
  }

  /** Handles a webhook. @throws WebhookVerificationError, and PaymentCollectionError if the service cannot be read */
  async webhook(delivery: Pick<Delivery, 'body' | 'headers'>, orders: ShopOrders): Promise<void> {
    const { webhookSecret: secret, pointOfSaleId } = this.options;
    const payment = await paymentOfWebhook(delivery, { secret, pointOfSaleId, read: (id) => this.read(id) });
    if (payment !== undefined) await this.apply(payment, orders);
  }

  /** Reads the payments of an order and applies them. Replaces lost webhooks. @returns the order's state */
  async check(code: string, orders: ShopOrders): Promise<OrderState> {
    const payments = await this.paymentsOf(code);
    let state: OrderState = 'waiting';
    for (const payment of payments.toReversed())
      state = (await this.apply(payment, orders, payments[0]?.id)) ?? state;
    return state;
  }

  /** @returns why the payment cannot pay the order; undefined if it can */
  faultOf(payment: Payment, code: string, price: Price): string | undefined {
    if (payment.reference_id !== code) return 'The payment request belongs to another order.';
    const { state, note } = outcomeOf({ state: 'waiting', price }, payment);
    if (note === 'price_differs') return 'The payment request has another price than the order.';
    return state === 'paid' ? undefined : `The payment request is not paid. Its status is ${payment.status}.`;
  }

  /**
   * Creates a refund that the payer claims. @returns the refund's id, if the service accepts the refund, and a note for the merchant
   * @throws if the call can be repeated with the same refund
   */
  async refund(paymentId: string, refund: RefundOfShop): Promise<{ id?: string; note: string }> {
    try {
      const payment = await this.read(paymentId);
      const { id, amount, currency, claim_url } = await createClaimedRefund(this.client, payment, refund);
      const page = claim_url ?? 'the claim page';
      return {
        id,
        note: `Refund of ${amount} ${currency}, ${this.pageOf('refunds', id)}. The payer enters an address at ${page}. Then approve the refund in the service.`,
      };
    } catch (error) {
      const isRefused =
        error instanceof Refusal ||
        (error instanceof PaymentCollectionError && PERMANENT.includes(error.status ?? 0));
      if (!isRefused) throw error;
      return { note: `Refund ${refund.id} was not created. ${error.message}` };
    }
  }

  /** @param waitsFor id of the payment for which the order waits, if the shop does not store it */
  private async apply(
    payment: Payment,
    orders: ShopOrders,
    waitsFor?: string,
  ): Promise<OrderState | undefined> {
    if (payment.reference_id === undefined) return undefined;
    let after: OrderState | undefined;
    await orders.withOrder(payment.reference_id, async (order) => {
      const { state, note } = outcomeOf({ ...order, paymentId: order.paymentId ?? waitsFor }, payment);
      if (state === 'paid' && order.state !== 'paid') await order.pay(payment);
      const text = note && `${NOTES[note]} Payment request: ${this.pageOf('payments', payment.id)}`;
      if (text !== undefined && !order.notes.includes(text)) await order.addNote(text);
      after = state;
    });
    return after;
  }

  /** Reads all payments of an order, newest first. */
  private async paymentsOf(code: string): Promise<Payment[]> {
    const payments: Payment[] = [];
    for await (const { id } of this.shop.payments({ reference_id: code })) payments.push(await this.read(id));
    return payments;
  }
}

function checkoutOf({
  id,
  hosted_checkout_url: url,
  expires_at,
}: Pick<Payment, 'id' | 'expires_at'> & { hosted_checkout_url?: string }) {
  return { paymentRequestId: id, url: url ?? '', expiresAt: expires_at };
}
