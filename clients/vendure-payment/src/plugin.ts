import {
  ActiveOrderService,
  Allow,
  Ctx,
  LanguageCode,
  PaymentMethodHandler,
  Permission,
  PluginCommonModule,
  RequestContext,
  RequestContextService,
  UserInputError,
  VendurePlugin,
} from '@vendure/core';
import { Controller, Headers, Inject, Post, Req, Res } from '@nestjs/common';
import { Mutation, Resolver } from '@nestjs/graphql';
import express from 'express';
import { parse } from 'graphql';
import { WebhookVerificationError } from 'payment-collection-client';
import { checkOptions, type PaymentCollectionOptions } from './options.js';
import { OrderPayments } from './order-payments.js';
import { HANDLER, VendureOrders } from './vendure-orders.js';

const ROUTE = 'payment-collection';
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
      metadata: { public: { status, received_amount, currency } },
    };
  },
  settlePayment: () => ({ success: true }),
  /** Vendure has no id of the refund yet. The number of earlier refunds gives a repeated call the same key. */
  createRefund: async (ctx, _input, amount, order, payment) => {
    const made = payment.refunds.length;
    const { amount: part } = orders.priceOf(amount, order.currencyCode);
    const key = `${order.code}-${payment.id}-${made}`;
    const refund = await payments.refund(payment.transactionId, part, key);
    const text = `Refund of ${refund.amount} ${refund.currency}, ${refund.id}. The payer enters an address at ${refund.claim_url ?? 'the claim page'}. Then approve the refund in the service.`;
    await orders.note(ctx, order.id, text);
    return { state: 'Settled', transactionId: refund.id };
  },
});

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
    return this.work.open(order.code, price, items).catch((error: unknown) => {
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
    return config;
  },
  shopApiExtensions: {
    schema: parse(`
      type PaymentCollectionCheckout {
        paymentRequestId: String!
        url: String!
        expiresAt: DateTime!
      }
      extend type Mutation {
        createPaymentCollectionCheckout: PaymentCollectionCheckout!
      }
    `),
    resolvers: [CheckoutResolver],
  },
})
export class PaymentCollectionPlugin {
  static options: PaymentCollectionOptions;

  static init(options: PaymentCollectionOptions): typeof PaymentCollectionPlugin {
    this.options = checkOptions(options);
    return this;
  }
}
