import type { MedusaShop } from './medusa-shop.js';

export interface PaymentSession {
  readonly id: string;
  readonly status: string;
  readonly provider_id: string;
  readonly data: Readonly<Record<string, unknown>> & {
    readonly payment_request_id: string;
    readonly hosted_checkout_url: string;
  };
}
export interface Cart {
  readonly id: string;
  readonly collectionId: string;
  readonly session: PaymentSession;
}
export interface Order {
  readonly id: string;
  readonly status: string;
  readonly total: number;
  readonly payment_status: string;
  readonly fulfillment_status: string;
  readonly items: readonly { readonly id: string }[];
  readonly fulfillments: readonly { readonly id: string }[];
  readonly summary: Readonly<Record<string, number>>;
  readonly payment_collections: readonly {
    readonly status: string;
    readonly amount: number;
    readonly captured_amount: number;
    readonly refunded_amount: number;
    readonly payments: readonly {
      readonly id: string;
      readonly captured_at: string | null;
      readonly canceled_at: string | null;
      readonly data: {
        readonly refunds: readonly { readonly id: string; readonly claim?: string }[];
        readonly payment_request_id: string;
      };
      readonly captures: readonly object[];
    }[];
  }[];
}

export const paymentOf = (order: Order) => order.payment_collections[0]!.payments[0]!;

const ORDER_FIELDS =
  '*items,*summary,*fulfillments,*payment_collections,*payment_collections.payments,*payment_collections.payments.captures';

export class MedusaRefused extends Error {
  override readonly name = 'MedusaRefused';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A browser at the storefront's API, and the merchant at the admin's. */
export class Storefront {
  constructor(private readonly shop: MedusaShop) {}

  /** A cart of 12.50 USD in all, with its payment session. @param data that the browser sends along */
  async cart(providerId = 'main', data?: object): Promise<Cart> {
    const { regionId, variantId, shippingOptionId } = this.shop.seeded;
    const address = {
      first_name: 'Ada',
      last_name: 'Byron',
      address_1: '1 Road',
      city: 'Town',
      country_code: 'us',
      postal_code: '1',
    };
    const { cart } = await this.store<{ cart: { id: string } }>('POST', '/store/carts', {
      region_id: regionId,
      email: 'ada@mail.example',
      shipping_address: address,
      items: [{ variant_id: variantId, quantity: 1 }],
    });
    await this.store('POST', `/store/carts/${cart.id}/shipping-methods`, { option_id: shippingOptionId });
    const { payment_collection } = await this.store<{ payment_collection: { id: string } }>(
      'POST',
      '/store/payment-collections',
      { cart_id: cart.id },
    );
    const session = await this.paymentSession(payment_collection.id, providerId, data);
    return { id: cart.id, collectionId: payment_collection.id, session };
  }

  /** Chooses how to pay, which makes a session in place of the one before. */
  async paymentSession(collectionId: string, providerId = 'main', data?: object): Promise<PaymentSession> {
    const path = `/store/payment-collections/${collectionId}/payment-sessions`;
    const body = { provider_id: `pp_payment-collection_${providerId}`, ...(data && { data }) };
    const answer = await this.store<{ payment_collection: { payment_sessions: PaymentSession[] } }>(
      'POST',
      path,
      body,
    );
    return answer.payment_collection.payment_sessions.at(-1)!;
  }

  /** The browser says that the cart is complete. @returns the kind of the answer, and what was refused */
  async complete({ id }: Pick<Cart, 'id'>): Promise<string> {
    const answer = this.store<{ type: string; error?: { message: string } }>(
      'POST',
      `/store/carts/${id}/complete`,
      {},
    );
    return answer.then(
      ({ type, error }) => (error === undefined ? type : `${type}: ${error.message}`),
      (error: unknown) => String(error),
    );
  }

  store<T>(method: string, path: string, body?: object): Promise<T> {
    return this.call<T>(method, path, { 'x-publishable-api-key': this.shop.seeded.publishableKey }, body);
  }

  admin<T>(method: string, path: string, body?: object): Promise<T> {
    const credential = Buffer.from(`${this.shop.seeded.secretKey}:`).toString('base64');
    return this.call<T>(method, path, { authorization: `Basic ${credential}` }, body);
  }

  async order(id: string): Promise<Order> {
    return (await this.admin<{ order: Order }>('GET', `/admin/orders/${id}?fields=${ORDER_FIELDS}`)).order;
  }

  private async call<T>(method: string, path: string, headers: object, body?: object): Promise<T> {
    const response = await fetch(this.shop.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const answer = (await response.json().catch(() => ({}))) as T & { message?: string };
    if (!response.ok)
      throw new MedusaRefused(response.status, answer.message ?? `${path} answered ${response.status}.`);
    return answer;
  }
}
