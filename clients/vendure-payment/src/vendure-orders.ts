import {
  ConfigService,
  HistoryService,
  isGraphQlErrorResult,
  Order,
  OrderService,
  PaymentMethodService,
  Refund,
  TransactionalConnection,
  type RequestContext,
} from '@vendure/core';
import { Inject, Injectable } from '@nestjs/common';
import type { OrderState } from '../../plugin-contract/src/order-states.js';
import type { Payment } from '../../plugin-contract/src/payment.js';
import type { Price } from '../../plugin-contract/src/price.js';
import type { LockedOrder, OrderPayments, ShopOrders } from './order-payments.js';

/** Code of the payment handler. */
export const HANDLER = 'payment-collection';

const AT_ONCE = 1_000;

/** Refund that an administrator made in Vendure and that the service does not know yet. */
export interface PendingRefund {
  readonly id: Refund['id'];
  readonly orderCode: string;
}

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
        this.withLock(outer, code, async (ctx, row) => work(await this.locked(ctx, row))),
    };
  }

  private withLock(
    outer: RequestContext,
    code: string,
    work: (ctx: RequestContext, row: Order) => Promise<void>,
  ): Promise<void> {
    return this.connection.withTransaction(outer, async (ctx) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const row = await this.connection.getRepository(ctx, Order).findOne({ where: { code }, lock });
      if (row !== null) await work(ctx, row);
    });
  }

  /** @returns codes of the orders that wait for a payment and were changed after `since` */
  async waiting(ctx: RequestContext, since: Date): Promise<string[]> {
    const orders = await this.connection
      .getRepository(ctx, Order)
      .createQueryBuilder('order')
      .where({ state: 'ArrangingPayment' })
      .andWhere('order.updatedAt > :since', { since })
      .orderBy('order.updatedAt', 'DESC')
      .take(AT_ONCE)
      .getMany();
    return orders.map(({ code }) => code);
  }

  /** @returns refunds of this handler's payments that are not in the service yet */
  async pendingRefunds(ctx: RequestContext): Promise<PendingRefund[]> {
    const refunds = await this.connection.getRepository(ctx, Refund).find({
      where: { state: 'Pending', payment: { method: (await this.methodCode(ctx)) ?? '' } },
      relations: ['payment', 'payment.order'],
      take: AT_ONCE,
    });
    return refunds.map(({ id, payment }) => ({ id, orderCode: payment.order.code }));
  }

  /** Creates a refund in the service, once. The order is locked, because an event and the scheduled task can do this at the same time. */
  refund(outer: RequestContext, { id, orderCode }: PendingRefund, payments: OrderPayments): Promise<void> {
    return this.withLock(outer, orderCode, async (ctx, order) => {
      const found = await this.connection.getRepository(ctx, Refund).findOne({
        where: { id, state: 'Pending', payment: { method: (await this.methodCode(ctx)) ?? '' } },
        relations: ['payment'],
      });
      if (found === null) return;
      const { amount: part } = this.priceOf(found.total, order.currencyCode);
      const key = `${orderCode}-refund-${id}`;
      const asked = { id: key, part, reason: `Vendure refund ${id} of order ${orderCode}` };
      const made = await payments.refund(found.payment.transactionId, asked);
      const isNoted = (await this.notesOf(ctx, order.id)).includes(made.note);
      if (!isNoted) await this.addNote(ctx, order.id, made.note);
      if (made.id === undefined) await this.orders.transitionRefundToState(ctx, id, 'Failed');
      else await this.orders.settleRefund(ctx, { id, transactionId: made.id });
    });
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
    const refunded = settled?.refunds.filter((each) => each.state !== 'Failed') ?? [];
    const isRefunded = settled && refunded.reduce((sum, { total }) => sum + total, 0) >= settled.amount;
    const state: OrderState = isRefunded ? 'refunded' : settled ? 'paid' : isOpen ? 'waiting' : 'closed';
    return {
      state,
      paymentId: settled?.transactionId,
      price: this.priceOf(order.totalWithTax, order.currencyCode),
      notes: await this.notesOf(ctx, id),
      pay: (payment) => this.pay(ctx, order, payment),
      addNote: (note) => this.addNote(ctx, id, note),
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

  private async notesOf(ctx: RequestContext, orderId: Order['id']): Promise<string[]> {
    const { items } = await this.history.getHistoryForOrder(ctx, orderId, false);
    return items.map(({ data }) => (data as { note?: string }).note ?? '');
  }

  /** Adds a note that only administrators see. */
  private async addNote(ctx: RequestContext, orderId: Order['id'], note: string): Promise<void> {
    await this.history.createHistoryEntryForOrder(
      { ctx, orderId, type: 'ORDER_NOTE' as never, data: { note } as never },
      false,
    );
  }
}
