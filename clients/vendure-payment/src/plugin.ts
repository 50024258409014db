import {
  ActiveOrderService,
  Allow,
  Ctx,
  EventBus,
  LanguageCode,
  Logger,
  PaymentMethodHandler,
  Permission,
  PluginCommonModule,
  RefundEvent,
  RequestContext,
  RequestContextService,
  ScheduledTask,
  UserInputError,
  VendurePlugin,
} from '@vendure/core';
import { Controller, Headers, Inject, Post, Req, Res, type OnApplicationBootstrap } from '@nestjs/common';
import { Mutation, Resolver } from '@nestjs/graphql';
import express from 'express';
import { parse } from 'graphql';
import { WebhookVerificationError } from 'payment-collection-client';
import { Refusal } from '../../plugin-contract/src/refusal.js';
import { checkOptions, type PaymentCollectionOptions } from './options.js';
import { OrderPayments } from './order-payments.js';
import { HANDLER, VendureOrders } from './vendure-orders.js';

const ROUTE = 'payment-collection';
const [TWO_HOURS, A_WEEK] = [2 * 3_600_000, 7 * 24 * 3_600_000];
let payments: OrderPayments;
let orders: VendureOrders;

const handler = new PaymentMethodHandler({
  code: HANDLER,
  description: [{ languageCode: LanguageCode.en, value: 'Payment Collection Service' }],
  args: {},
  init: (injector) => {
    payments = injector.get(OrderPayments);
    orders = injector.get(VendureOrders);
  },
  /** Trusts only the id: the payment is read from the service. */
  createPayment: async (_ctx, order, amount, _args, { paymentRequestId }) => {
    const declined = (errorMessage: string) => ({ amount, state: 'Declined' as const, errorMessage });
    if (typeof paymentRequestId !== 'string') return declined('metadata.paymentRequestId is required.');
    const payment = await payments.read(paymentRequestId);
    const fault = payments.faultOf(payment, order.code, orders.priceOf(amount, order.currencyCode));
    if (fault !== undefined) return declined(fault);
    const { status, received_amount, currency } = payment;
    return {
      ...{ amount, state: 'Settled' as const, transactionId: payment.id },
      metadata: {
        paymentRequest: payments.pageOf('payments', payment.id),
        public: { status, received_amount, currency },
      },
    };
  },
  settlePayment: () => ({ success: true }),
  // Vendure calls `createRefund` before the refund has an id, so the plugin creates the refund after Vendure has stored it as pending.
});

/** Replaces lost webhooks, and creates the refunds that could not be created before. */
const check = new ScheduledTask({
  id: 'payment-collection-check',
  description: 'Reads the payments of orders that wait for a payment, and creates pending refunds.',
  schedule: (cron) => cron.everyMinute(),
  timeout: '10m',
  execute: async ({ injector, scheduledContext: ctx }) => {
    const [work, shop] = [injector.get(OrderPayments), injector.get(VendureOrders)];
    const now = new Date();
    // Most payments are final soon after the order's last change. Older orders are checked once an hour.
    const since = new Date(now.getTime() - (now.getMinutes() === 0 ? A_WEEK : TWO_HOURS));
    // An order that fails must not prevent the task from checking the others.
    for (const code of await shop.waiting(ctx, since))
      await logged(work.check(code, shop.in(ctx)), `Order ${code}`);
    for (const refund of await shop.pendingRefunds(ctx))
      await logged(shop.refund(ctx, refund, work), `Refund ${refund.id}`);
  },
});

async function logged(work: Promise<unknown>, subject: string): Promise<void> {
  await work.catch((error: unknown) =>
    Logger.warn(`${subject} could not be updated: ${String(error)}`, ROUTE),
  );
}

@Controller(ROUTE)
export class WebhookController {
  constructor(
    @Inject(OrderPayments) private readonly work: OrderPayments,
    @Inject(VendureOrders) private readonly shop: VendureOrders,
    @Inject(RequestContextService) private readonly contexts: RequestContextService,
  ) {}

  @Post('webhook')
  async receive(
    @Req() { body }: { body: Buffer },
    @Headers() headers: Record<string, string>,
    @Res() response: { status(code: number): { send(text: string): void } },
  ): Promise<void> {
    const ctx = await this.contexts.create({ apiType: 'admin' });
    try {
      await this.work.webhook({ body, headers }, this.shop.in(ctx));
      response.status(200).send('');
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      response.status(401).send(error.message);
    }
  }
}

@Resolver()
export class CheckoutResolver {
  constructor(
    @Inject(OrderPayments) private readonly work: OrderPayments,
    @Inject(VendureOrders) private readonly shop: VendureOrders,
    @Inject(ActiveOrderService) private readonly active: ActiveOrderService,
  ) {}

  /** @returns null if the session has no order that can be paid */
  @Mutation()
  @Allow(Permission.Owner)
  async checkPaymentCollectionPayment(@Ctx() ctx: RequestContext) {
    const active = await this.active.getActiveOrder(ctx, undefined);
    return active ? this.check(ctx, active.code) : null;
  }

  private check(ctx: RequestContext, code: string) {
    return this.work.check(code, this.shop.in(ctx));
  }

  @Mutation()
  @Allow(Permission.Owner)
  async createPaymentCollectionCheckout(@Ctx() ctx: RequestContext) {
    const active = await this.active.getActiveOrder(ctx, undefined);
    if (active?.state !== 'ArrangingPayment')
      throw new UserInputError('The order must be in the state ArrangingPayment.');
    const order = await this.shop.read(ctx, active.id);
    const items = order.lines.map(({ productVariant, quantity, proratedLinePriceWithTax }) => ({
      name: productVariant.name || productVariant.sku,
      quantity,
      total: this.shop.priceOf(proratedLinePriceWithTax, order.currencyCode).amount,
    }));
    const price = this.shop.priceOf(order.totalWithTax, order.currencyCode);
    return this.work.open(order.code, price, items).catch(async (error: unknown) => {
      // The webhook of the payment that was received may have been lost.
      if (error instanceof Refusal) await logged(this.check(ctx, order.code), `Order ${order.code}`);
      throw new UserInputError(
        `The checkout could not be created. Select another payment method. ${String(error)}`,
      );
    });
  }
}

const OPTIONS = Symbol('options of payment-collection-vendure');

/** Takes payments on the hosted page of a Payment Collection Service. */
@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: '^3.0.0',
  controllers: [WebhookController],
  providers: [
    VendureOrders,
    { provide: OPTIONS, useFactory: () => PaymentCollectionPlugin.options },
    {
      provide: OrderPayments,
      inject: [OPTIONS],
      useFactory: (options: PaymentCollectionOptions) => new OrderPayments(options),
    },
  ],
  exports: [OrderPayments, VendureOrders],
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(handler);
    // A signature covers the body as it was received.
    const raw = express.raw({ type: () => true, limit: '100kb' });
    config.apiOptions.middleware.push({ route: `/${ROUTE}`, handler: raw, beforeListen: true });
    config.schedulerOptions.tasks = [...(config.schedulerOptions.tasks ?? []), check];
    return config;
  },
  shopApiExtensions: {
    schema: parse(`
      type PaymentCollectionCheckout {
        paymentRequestId: String!
        url: String!
        expiresAt: DateTime!
      }
      enum PaymentCollectionState { waiting confirming paid unpaid refunded closed }
      extend type Mutation {
        createPaymentCollectionCheckout: PaymentCollectionCheckout!
        checkPaymentCollectionPayment: PaymentCollectionState
      }
    `),
    resolvers: [CheckoutResolver],
  },
})
export class PaymentCollectionPlugin implements OnApplicationBootstrap {
  static options: PaymentCollectionOptions;

  constructor(
    @Inject(EventBus) private readonly events: EventBus,
    @Inject(OrderPayments) private readonly work: OrderPayments,
    @Inject(VendureOrders) private readonly shop: VendureOrders,
  ) {}

  onApplicationBootstrap(): void {
    this.events.ofType(RefundEvent).subscribe(({ ctx, order, refund: { id } }) => {
      void logged(this.shop.refund(ctx, { id, orderCode: order.code }, this.work), `Refund ${id}`);
    });
  }

  static init(options: PaymentCollectionOptions): typeof PaymentCollectionPlugin {
    this.options = checkOptions(options);
    return this;
  }
}
