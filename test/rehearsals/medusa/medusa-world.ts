import pg from 'pg';
import type { CheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { NATIVE_COIN } from '#sandbox/chain/payer-contract.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { signedHeaders } from '#test/support/client-world.js';
import { copyShop } from '#test/support/copied-shop.js';
import { eventually } from '#test/support/eventually.js';
import { HeldAnswers } from './held-answers.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { MedusaShop, type ProviderEntry } from './medusa-shop.js';
import { Storefront, type Cart, type Order } from './storefront.js';

const UNIT = 10n ** 6n;

/** The service with its chain, and a Medusa server whose shop is paid by it. */
export class MedusaWorld {
  private readonly pool: pg.Pool;

  private constructor(
    readonly service: TestService,
    readonly shop: MedusaShop,
    /** Stands between Medusa and the service. */
    readonly way: HeldAnswers,
    readonly providers: readonly ProviderEntry[],
    readonly secret: string,
  ) {
    this.pool = new pg.Pool({ connectionString: shop.database.url, max: 2 });
    this.pool.on('error', () => undefined);
  }

  static async start(): Promise<MedusaWorld> {
    const port = await freePort();
    const [service, shop] = await Promise.all([
      startTestService({ wallet: true, settles: true }),
      MedusaShop.make(port),
    ]);
    const way = await HeldAnswers.before(service.apiUrl);
    const manualPos = await copyShop(service, {});
    const register = (id: string) =>
      service.api.post<RegisteredWebhookDto>(`/v1/account/${service.seed.accountId}/webhook`, {
        url: `${shop.url}/hooks/payment/payment-collection_${id}`,
        event_type: 'payment_request',
      });
    const [main, manual] = [await register('main'), await register('manual')];
    const { apiKey, apiSecret, posId } = service.seed;
    const options = { baseUrl: way.url, apiKey, apiSecret };
    const providers = [
      { id: 'main', options: { ...options, pointOfSaleId: posId, webhookSecret: main.secret } },
      {
        id: 'manual',
        options: { ...options, pointOfSaleId: manualPos, webhookSecret: manual.secret, capture: 'manual' },
      },
    ];
    const world = new MedusaWorld(service, shop, way, providers, main.secret);
    try {
      await shop.furnish(providers);
      await shop.start(providers);
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  get storefront(): Storefront {
    return new Storefront(this.shop);
  }

  payment(
    { session }: Pick<Cart, 'session'>,
    posId = this.service.seed.posId,
  ): Promise<PaymentRequestProgressDto> {
    const path = `/v1/pos/${posId}/payment-request/${session.data.payment_request_id}`;
    return this.service.api.get<PaymentRequestProgressDto>(path);
  }

  /** The payer opens the page that the session names, chooses USDC, and sends so much. */
  async pay(cart: Pick<Cart, 'session'>, dollars: number): Promise<void> {
    await this.send(await this.address(cart), dollars);
  }

  /** The payer opens the page that the session names, and chooses USDC. @returns where to send it */
  async address({ session }: Pick<Cart, 'session'>): Promise<`0x${string}`> {
    const sessionId = session.data.hosted_checkout_url.split('/').at(-1)!;
    const { unique_asset_id } = this.service.assets[0]!;
    const path = `/public/checkout/${sessionId}/select-asset`;
    const checkout = await this.service.api.post<CheckoutDto>(path, { unique_asset_id });
    return checkout.selected!.address as `0x${string}`;
  }

  async send(address: `0x${string}`, dollars: number): Promise<void> {
    const { wallet, assets } = this.service;
    const units = (BigInt(Math.round(dollars * 100)) * UNIT) / 100n;
    await wallet.mined(await wallet.send(tokenOf(assets[0]!.unique_asset_id), address, units));
  }

  /** Mines until the payment has a status. */
  async becomes(
    cart: Pick<Cart, 'session'>,
    status: string,
    posId?: string,
  ): Promise<PaymentRequestProgressDto> {
    return eventually(
      async () => {
        if (status !== 'processing') await this.service.chain.mineWhileWaiting(1);
        return this.payment(cart, posId);
      },
      (payment) => payment.status === status,
    );
  }

  /** The order of a cart, once it is placed with its payment. Medusa adds a capture to the order's sums after it shows it. */
  async orderOf({ id }: Pick<Cart, 'id'>): Promise<Order> {
    const rows = await eventually(
      () =>
        this.inMedusa<{ order_id: string }>(
          'SELECT order_id FROM order_cart WHERE cart_id = $1 AND deleted_at IS NULL',
          [id],
        ),
      ({ length }) => length > 0,
    );
    return eventually(
      () => this.storefront.order(rows[0]!.order_id),
      ({ payment_status, summary }) =>
        payment_status === 'captured' ? (summary.paid_total ?? 0) > 0 : payment_status !== 'not_paid',
    );
  }

  async sessionStatus({ session }: Pick<Cart, 'session'>): Promise<string | undefined> {
    const rows = await this.inMedusa<{ status: string }>('SELECT status FROM payment_session WHERE id = $1', [
      session.id,
    ]);
    return rows[0]?.status;
  }

  async inMedusa<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** Sends Medusa a webhook of a payment, signed by the secret. @returns the status of Medusa's answer */
  async deliver(cart: Pick<Cart, 'session'>, status: string, secret = this.secret): Promise<number> {
    const { posId, accountId } = this.service.seed;
    const body = JSON.stringify({
      data: {
        payment_request_id: cart.session.data.payment_request_id,
        external_reference_id: cart.session.id,
        ...{ point_of_sale_id: posId, account_id: accountId, status },
        ...{ notification_type: 'payment_request_status_update', payment_request_type: 'fixed' },
      },
    });
    const headers = { 'content-type': 'application/json', ...signedHeaders(secret, `event-${status}`, body) };
    const url = `${this.shop.url}/hooks/payment/payment-collection_main`;
    return (await fetch(url, { method: 'POST', headers, body })).status;
  }

  /** Tops the refund float up, at the address that the first refusal names. */
  async fundFloat(refuse: () => Promise<string>): Promise<void> {
    const named = /(0x[0-9a-fA-F]{40}) on sandbox lacks/;
    const refusal = await eventually(refuse, (message) => named.test(message));
    const float = named.exec(refusal)![1] as `0x${string}`;
    const { wallet } = this.service;
    await this.send(float, 100);
    await wallet.mined(await wallet.send(NATIVE_COIN, float, 5n * 10n ** 18n));
    await eventually(
      async () => {
        await this.service.chain.mineWhileWaiting(1);
        return this.service.query('SELECT FROM settlement.refund_float_holdings WHERE topped_up > 0');
      },
      ({ length }) => length === 2,
    );
  }

  async stop(): Promise<void> {
    await this.pool.end();
    await this.shop.remove();
    this.way.close();
    await this.service.stop();
  }
}
