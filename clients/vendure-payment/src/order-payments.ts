import { PaymentCollectionClient, type Delivery } from 'payment-collection-client';
import { checkoutBody, type CartItem } from '../../plugin-contract/src/checkout-body.js';
import {
  outcomeOf,
  stateOfPayment,
  type OrderNote,
  type OrderOfShop,
} from '../../plugin-contract/src/order-states.js';
import type { Payment } from '../../plugin-contract/src/payment.js';
import { priceOf, roundedPrice, toDecimal, type Price } from '../../plugin-contract/src/price.js';
import { refundAmount } from '../../plugin-contract/src/refund-amounts.js';
import { paymentOfWebhook } from '../../plugin-contract/src/webhook-payment.js';
import type { PaymentCollectionOptions } from './options.js';

/** Order that no other event can change until the work with it ends. */
export interface LockedOrder extends OrderOfShop {
  pay(payment: Payment): Promise<void>;
  /** Adds a note unless the order has it. */
  note(payment: Payment, note: OrderNote): Promise<void>;
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

/** Payments of orders. The `reference_id` of a payment request is the code of its order. */
export class OrderPayments {
  private readonly client: PaymentCollectionClient;
  private readonly shop;

  constructor(private readonly options: PaymentCollectionOptions) {
    this.client = new PaymentCollectionClient({ ...options, product: 'payment-collection-vendure/0.1.0' });
    this.shop = this.client.pointOfSale(options.pointOfSaleId);
  }

  read(id: string): Promise<Payment> {
    return this.shop.readPayment(id);
  }

  /** Opens a checkout, or returns the open one for the same price. An open one for another price is ended first. */
  async open(code: string, asked: Price, items: readonly CartItem[]): Promise<Checkout> {
    const price = priceOf(asked.amount, asked.coin_code);
    const last = await this.newestOf(code);
    const isOpen = last !== undefined && ['pending', 'created'].includes(last.status);
    if (isOpen && last.amount === price.amount && last.coin_code === price.coin_code) return checkoutOf(last);
    if (last !== undefined && stateOfPayment(last) === 'confirming')
      throw new Error('A transfer for this order was seen and is not final yet. Wait until it is final.');
    if (isOpen) await this.shop.expirePaymentRequest(last.id);
    const idempotencyKey = `${code}-${last?.id ?? 'first'}-${price.amount}-${price.coin_code}`;
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

  /** Reads the newest payment of an order and applies it. Replaces lost webhooks. */
  async check(code: string, orders: ShopOrders): Promise<void> {
    const payment = await this.newestOf(code);
    if (payment !== undefined) await this.apply(payment, orders);
  }

  /** @returns why the payment cannot pay the order; undefined if it can */
  faultOf(payment: Payment, code: string, price: Price): string | undefined {
    if (payment.reference_id !== code) return 'The payment request belongs to another order.';
    const { state, note } = outcomeOf({ state: 'waiting', price }, payment);
    if (note === 'price_differs') return 'The payment request has another price than the order.';
    return state === 'paid' ? undefined : `The payment request is not paid. Its status is ${payment.status}.`;
  }

  /** Creates a refund that the payer claims. @param part amount in the shop's currency @param key idempotency key */
  async refund(id: string, part: string, key: string) {
    const payment = await this.read(id);
    const { amount: price, coin_code = '' } = payment;
    const asked = roundedPrice(part, coin_code) === price ? price : part;
    const amount = refundAmount(payment, toDecimal(asked), price, await this.decimalsOf(payment));
    return this.client.refunds.create(
      id,
      { claim: {}, amount, reason: `Vendure ${key}` },
      { idempotencyKey: key },
    );
  }

  private async apply(payment: Payment, orders: ShopOrders): Promise<void> {
    if (payment.reference_id === undefined) return;
    await orders.withOrder(payment.reference_id, async (order) => {
      const { state, note } = outcomeOf(order, payment);
      if (state === 'paid' && order.state !== 'paid') await order.pay(payment);
      if (note !== undefined) await order.note(payment, note);
    });
  }

  private async newestOf(code: string): Promise<Payment | undefined> {
    for await (const { id } of this.shop.payments({ reference_id: code })) return this.read(id);
    return undefined;
  }

  private async decimalsOf({ id, selected }: Payment): Promise<number> {
    for await (const { unique_asset_id, decimals } of this.client.list('/v1/assets'))
      if (unique_asset_id === selected?.unique_asset_id) return decimals;
    throw new Error(`The service does not list the asset received for payment request ${id}.`);
  }
}

function checkoutOf({
  id,
  hosted_checkout_url: url,
  expires_at,
}: Pick<Payment, 'id' | 'expires_at'> & { hosted_checkout_url?: string }) {
  return { paymentRequestId: id, url: url ?? '', expiresAt: expires_at };
}
