import {
  ConfigService,
  HistoryService,
  isGraphQlErrorResult,
  Order,
  OrderService,
  PaymentMethodService,
  TransactionalConnection,
  type RequestContext,
} from '@vendure/core';
import { Inject, Injectable } from '@nestjs/common';
import type { OrderNote, OrderState } from '../../plugin-contract/src/order-states.js';
import type { Payment } from '../../plugin-contract/src/payment.js';
import type { Price } from '../../plugin-contract/src/price.js';
import type { LockedOrder, ShopOrders } from './order-payments.js';

/** Code of the payment handler. */
export const HANDLER = 'payment-collection';

const NOTES: Readonly<Record<OrderNote, string>> = {
  received_more: 'The payer sent more than the price. Refund the excess in the service.',
  received_less: 'The payer sent too little or too late. Refund the amount received in the service.',
  paid_elsewhere: 'The order was already paid or canceled. Refund this payment in the service.',
  price_differs: 'The order has changed since the checkout. Refund the payment, or settle the order by hand.',
};

/** Orders of Vendure, each locked in its own transaction. */
@Injectable()
export class VendureOrders {
  constructor(
    @Inject(TransactionalConnection) private readonly connection: TransactionalConnection,
    @Inject(OrderService) private readonly orders: OrderService,
    @Inject(PaymentMethodService) private readonly methods: PaymentMethodService,
    @Inject(HistoryService) private readonly history: HistoryService,
    @Inject(ConfigService) private readonly config: ConfigService,
  ) {}

  priceOf(amount: number, currency: string): Price {
    const precision = this.config.entityOptions.moneyStrategy.precision ?? 2;
    return { amount: `${amount}e-${precision}`, coin_code: currency };
  }

  in(outer: RequestContext): ShopOrders {
    return {
      withOrder: (code, work) =>
        this.connection.withTransaction(outer, async (ctx) => {
          const lock = { mode: 'pessimistic_write' } as const;
          const row = await this.connection.getRepository(ctx, Order).findOne({ where: { code }, lock });
          if (row !== null) await work(await this.locked(ctx, row));
        }),
    };
  }

  /** Reads an order with translated products. */
  async read(ctx: RequestContext, id: Order['id']): Promise<Order> {
    return (await this.orders.findOne(ctx, id))!;
  }

  private async locked(ctx: RequestContext, { id }: Order): Promise<LockedOrder> {
    const order = await this.read(ctx, id);
    const payments = await this.orders.getOrderPayments(ctx, id);
    // The method of a payment is the code of a payment method, not of its handler.
    const method = await this.methodCode(ctx);
    const settled = payments.find((each) => each.state === 'Settled' && each.method === method);
    const isOpen = ['ArrangingPayment', 'AddingItems'].includes(order.state);
    const state: OrderState = settled ? 'paid' : isOpen ? 'waiting' : 'closed';
    return {
      state,
      paymentId: settled?.transactionId,
      price: this.priceOf(order.totalWithTax, order.currencyCode),
      pay: (payment) => this.pay(ctx, order, payment),
      note: (payment, note) => this.note(ctx, id, `${NOTES[note]} Payment request ${payment.id}.`),
    };
  }

  private async methodCode(ctx: RequestContext): Promise<string | undefined> {
    const { items } = await this.methods.findAll(ctx);
    return items.find(({ handler }) => handler.code === HANDLER)?.code;
  }

  private async pay(ctx: RequestContext, order: Order, payment: Payment): Promise<void> {
    if (order.state === 'AddingItems') await this.orders.transitionToState(ctx, order.id, 'ArrangingPayment');
    const method = await this.methodCode(ctx);
    if (method === undefined) throw new Error(`No payment method has the handler ${HANDLER}.`);
    const metadata = { paymentRequestId: payment.id };
    const result = await this.orders.addPaymentToOrder(ctx, order.id, { method, metadata });
    if (isGraphQlErrorResult(result)) throw new Error(`Order ${order.code} was not paid: ${result.message}`);
  }

  /** Adds a note that only administrators see, unless the order has it. */
  async note(ctx: RequestContext, orderId: Order['id'], note: string): Promise<void> {
    const { items } = await this.history.getHistoryForOrder(ctx, orderId, false);
    if (items.some(({ data }) => (data as { note?: string }).note === note)) return;
    await this.history.createHistoryEntryForOrder(
      { ctx, orderId, type: 'ORDER_NOTE' as never, data: { note } as never },
      false,
    );
  }
}
