import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { spawnChild, waitUntil, type RunningChild } from '#sandbox/processes/child-process.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { signedHeaders } from '#test/support/client-world.js';
import { eventually } from '#test/support/eventually.js';
import { installPacked } from '#test/support/installed-client.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { installServer, VENDURE_SHOP } from '../medusa/medusa-install.js';
import { vendureGuideSuite } from './guide.suite.js';

interface Answer {
  readonly data?: Record<string, Record<string, unknown>>;
  readonly errors?: readonly { message: string }[];
}
interface Checkout {
  readonly paymentRequestId: string;
  readonly url: string;
}
interface History {
  readonly payments: readonly {
    readonly id: string;
    readonly state: string;
    readonly refunds: readonly { readonly state: string; readonly transactionId: string }[];
  }[];
  readonly state: string;
  readonly id: string;
  readonly code: string;
}

const PACKAGES = ['clients/typescript', 'clients/vendure-payment'].map((name) => join(process.cwd(), name));
const TO_INSTALL = 900_000;
const NO_LINES = { reason: 'returned', lines: [], shipping: 0, adjustment: 0 };

let service: TestService;
let server: RunningChild;
let environment: Record<string, string>;
let folder: string;
let url: string;
let secret: string;
let webhookPath: string;
let admin: Buyer;

/** A session of Vendure's shop or admin API. */
class Buyer {
  private token = '';
  constructor(private readonly api: 'shop-api' | 'admin-api') {}

  async run(query: string, variables: object = {}): Promise<Record<string, unknown>> {
    const headers = {
      'content-type': 'application/json',
      'vendure-token': 'e2e-default-channel',
      ...(this.token && { authorization: `Bearer ${this.token}` }),
    };
    const body = JSON.stringify({ query, variables });
    const response = await fetch(`${url}/${this.api}`, { method: 'POST', headers, body });
    this.token = response.headers.get('vendure-auth-token') ?? this.token;
    const { data, errors } = (await response.json()) as Answer;
    if (errors) throw new Error(errors.map(({ message }) => message).join(' '));
    return Object.values(data!)[0]!;
  }

  /** Fills a cart of 12.50 USD and arranges its payment. @returns the order's code */
  async arrange(): Promise<string> {
    await this.run('mutation { addItemToOrder(productVariantId: "T_1", quantity: 1) { __typename } }');
    await this.run(`mutation { setCustomerForOrder(input: { firstName: "Ada", lastName: "L",
      emailAddress: "ada${Math.random()}@mail.example" }) { __typename } }`);
    await this.run(
      `mutation { setOrderShippingAddress(input: { streetLine1: "1 Road", countryCode: "US" }) { __typename } }`,
    );
    await this.run('mutation { setOrderShippingMethod(shippingMethodId: ["T_1"]) { __typename } }');
    await this.run('mutation { transitionOrderToState(state: "ArrangingPayment") { __typename } }');
    const { code, totalWithTax } = await this.run('{ activeOrder { code totalWithTax } }');
    expect(totalWithTax).toBe(1250);
    return code as string;
  }

  async checkout(): Promise<Checkout> {
    const made = await this.run(
      'mutation { createPaymentCollectionCheckout { paymentRequestId url expiresAt } }',
    );
    return made as unknown as Checkout;
  }
}

beforeAll(async () => {
  const installed = await installServer('vendure', VENDURE_SHOP);
  service = await startTestService({ wallet: true, settles: true });
  mkdirSync(join(installed, 'shops'), { recursive: true });
  folder = mkdtempSync(join(installed, 'shops', 'shop-'));
  for (const name of ['server.mjs', 'products.csv']) cpSync(join(VENDURE_SHOP, name), join(folder, name));
  writeFileSync(
    join(folder, 'package.json'),
    '{"private":true,"type":"module","scripts":{"start":"node server.mjs"}}',
  );
  // Vendure is installed above.
  writeFileSync(join(folder, '.npmrc'), 'legacy-peer-deps=true\n');
  await installPacked(folder, PACKAGES);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const { accountId, apiKey, apiSecret, posId } = service.seed;
  const webhook = { url: `${url}/payment-collection/webhook`, event_type: 'payment_request' };
  const registered = await service.api.post<RegisteredWebhookDto>(
    `/v1/account/${accountId}/webhook`,
    webhook,
  );
  ({ secret } = registered);
  webhookPath = `/v1/account/${accountId}/webhook/${registered.id}`;
  const options = { baseUrl: service.apiUrl, apiKey, apiSecret, pointOfSaleId: posId, webhookSecret: secret };
  environment = {
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder, PORT: String(port) },
    ...{ DATABASE_URL: process.env['TEST_SERVER_URL']!, PRODUCTS: join(folder, 'products.csv') },
  };
  const logFile = join(folder, 'vendure.log');
  server = await spawnChild({
    command: process.execPath,
    args: [join(folder, 'server.mjs')],
    deathSignal: 'SIGKILL',
    logFile,
    env: { ...environment, OPTIONS: JSON.stringify(options) },
  });
  const log = () => readFileSync(logFile, 'utf8');
  await waitUntil(() => Promise.resolve(log().includes('ready') || server.hasExited()), {
    ...{ timeoutMs: 120_000, everyMs: 100 },
  });
  if (server.hasExited()) throw new Error(`Vendure did not start:\n${log()}`);
  admin = new Buyer('admin-api');
  await admin.run('mutation { login(username: "superadmin", password: "superadmin") { __typename } }');
}, TO_INSTALL);
afterAll(async () => {
  await server?.end('SIGKILL');
  await service?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

type Address = `0x${string}`;

async function addressOf({ url: page }: Checkout): Promise<Address> {
  const path = `/public/checkout/${page.split('/').at(-1)!}/select-asset`;
  const { unique_asset_id } = service.assets[0]!;
  const checkout = await service.api.post<CheckoutDto>(path, { unique_asset_id });
  return checkout.selected!.address as Address;
}

async function send(address: Address, dollars: number): Promise<void> {
  const units = (BigInt(Math.round(dollars * 100)) * 10n ** 6n) / 100n;
  const token = tokenOf(service.assets[0]!.unique_asset_id);
  await service.wallet.mined(await service.wallet.send(token, address, units));
}

const pay = async (checkout: Checkout, dollars: number) => send(await addressOf(checkout), dollars);

function becomes({ paymentRequestId }: Checkout, status: string) {
  const path = `/v1/pos/${service.seed.posId}/payment-request/${paymentRequestId}`;
  return eventually(
    async () => {
      await service.chain.mineWhileWaiting(1);
      return service.api.get<PaymentRequestProgressDto>(path);
    },
    (payment) => payment.status === status,
  );
}

async function orderOf(code: string): Promise<History> {
  const list = await admin.run(
    `query($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items { id code state
      payments { id state refunds { id total state transactionId } } } } }`,
    { code },
  );
  return (list['items'] as History[])[0]!;
}
const orderIn = (code: string, state: string) =>
  eventually(
    () => orderOf(code),
    (order) => order.state === state,
  );

/** Ships all lines of an order, as an administrator does. */
async function deliverGoods({ id }: History): Promise<void> {
  const { lines } = await admin.run('query($id: ID!) { order(id: $id) { lines { id quantity } } }', { id });
  const input = {
    lines: (lines as { id: string; quantity: number }[]).map((line) => ({
      orderLineId: line.id,
      quantity: line.quantity,
    })),
    handler: { code: 'manual-fulfillment', arguments: [{ name: 'method', value: 'Post' }] },
  };
  const made = await admin.run(
    'mutation($input: FulfillOrderInput!) { addFulfillmentToOrder(input: $input) { ... on Fulfillment { id } } }',
    { input },
  );
  for (const state of ['Shipped', 'Delivered'])
    await admin.run(
      'mutation($id: ID!, $state: String!) { transitionFulfillmentToState(id: $id, state: $state) { __typename } }',
      { id: made['id'], state },
    );
}

async function notesOf({ id }: History): Promise<string[]> {
  const order = await admin.run('query($id: ID!) { order(id: $id) { history { items { type data } } } }', {
    id,
  });
  const { items } = order['history'] as { items: { type: string; data: { note: string } }[] };
  return items.filter(({ type }) => type === 'ORDER_NOTE').map(({ data }) => data.note);
}

function deliver(code: string, id: string, status: string, by = secret) {
  const { posId, accountId } = service.seed;
  const body = JSON.stringify({
    data: {
      ...{
        payment_request_id: id,
        external_reference_id: code,
        point_of_sale_id: posId,
        account_id: accountId,
      },
      ...{ status, notification_type: 'payment_request_status_update', payment_request_type: 'fixed' },
    },
  });
  const headers = { 'content-type': 'application/json', ...signedHeaders(by, `event-${status}`, body) };
  return fetch(`${url}/payment-collection/webhook`, { method: 'POST', headers, body });
}

describe('An order of a Vendure shop', () => {
  it('is paid by the webhook, once, and keeps its state after repeated ones', async () => {
    const buyer = new Buyer('shop-api');
    const code = await buyer.arrange();
    const checkout = await buyer.checkout();
    expect((await buyer.checkout()).paymentRequestId).toBe(checkout.paymentRequestId);
    expect((await deliver(code, checkout.paymentRequestId, 'completed')).status).toBe(200);
    expect((await orderOf(code)).state).toBe('ArrangingPayment');

    await pay(checkout, 12.5);
    expect(await becomes(checkout, 'completed')).toMatchObject({
      order: { items: [{ description: 'Mug' }] },
    });
    await orderIn(code, 'PaymentSettled');
    for (const status of ['completed', 'processing', 'completed'])
      expect((await deliver(code, checkout.paymentRequestId, status)).status).toBe(200);

    const order = await orderOf(code);
    expect(order.payments).toMatchObject([{ state: 'Settled' }]);
    expect(await notesOf(order)).toEqual([]);
    await deliverGoods(order);
    expect((await orderOf(code)).state).toBe('Delivered');
  });

  it('refuses a forged webhook, and a payment of another order', async () => {
    const [paid, other] = [new Buyer('shop-api'), new Buyer('shop-api')];
    const code = await paid.arrange();
    const checkout = await paid.checkout();
    const forged = await deliver(code, checkout.paymentRequestId, 'completed', `whsec_${'Ab1'.repeat(14)}Zz`);
    expect(forged.status).toBe(401);
    await pay(checkout, 20);
    await becomes(checkout, 'overpaid');
    const order = await orderIn(code, 'PaymentSettled');
    expect(await notesOf(order)).toEqual([expect.stringMatching(/^The payer sent more/)]);

    await other.arrange();
    const stolen = await other.run(
      `mutation($m: JSON!) { addPaymentToOrder(input: { method: "crypto", metadata: $m }) {
        __typename ... on PaymentDeclinedError { paymentErrorMessage } } }`,
      { m: { paymentRequestId: checkout.paymentRequestId } },
    );
    expect(stolen).toMatchObject({
      __typename: 'PaymentDeclinedError',
      paymentErrorMessage: expect.stringMatching(/another order/),
    });
  });

  it('gets a note, and can be paid by a new checkout, after a payment that is too small', async () => {
    const buyer = new Buyer('shop-api');
    const code = await buyer.arrange();
    const first = await buyer.checkout();
    await pay(first, 5);
    await becomes(first, 'processing');
    await service.advance(600);
    await becomes(first, 'underpaid');
    const order = await orderOf(code);
    expect(order.state).toBe('ArrangingPayment');
    await eventually(
      () => notesOf(order),
      ([note]) => /^The payer sent too little/.test(note ?? ''),
    );

    const second = await buyer.checkout();
    expect(second.paymentRequestId).not.toBe(first.paymentRequestId);
    await pay(second, 12.5);
    await becomes(second, 'completed');
    await orderIn(code, 'PaymentSettled');
  });

  it('keeps its state after a card payment, with a note if the payment request is paid too', async () => {
    const [both, onlyCard] = [new Buyer('shop-api'), new Buyer('shop-api')];
    const codes = [await both.arrange(), await onlyCard.arrange()];
    const checkouts = [await both.checkout(), await onlyCard.checkout()];
    const byCard = 'mutation { addPaymentToOrder(input: { method: "card", metadata: {} }) { __typename } }';
    for (const buyer of [both, onlyCard])
      expect(await buyer.run(byCard)).toMatchObject({ __typename: 'Order' });

    await pay(checkouts[0]!, 12.5);
    await becomes(checkouts[0]!, 'completed');
    await service.advance(600);
    await becomes(checkouts[1]!, 'expired');

    const note = expect.stringMatching(/^The order was already paid or canceled/);
    await eventually(
      async () => notesOf(await orderOf(codes[0]!)),
      ({ length }) => length > 0,
    );
    const orders = await Promise.all(codes.map(orderOf));
    expect(orders.map(({ state, payments }) => [state, payments.length])).toEqual([
      ['PaymentSettled', 1],
      ['PaymentSettled', 1],
    ]);
    expect(await Promise.all(orders.map(notesOf))).toEqual([[note], []]);
  });

  it('gets a note after a late payment, when the payer returns', async () => {
    const buyer = new Buyer('shop-api');
    const code = await buyer.arrange();
    const checkout = await buyer.checkout();
    const address = await addressOf(checkout);
    await service.advance(600);
    await becomes(checkout, 'expired');
    expect(await buyer.run('mutation { checkPaymentCollectionPayment }')).toBe('unpaid');
    expect(await notesOf(await orderOf(code))).toEqual([]);

    await send(address, 12.5);
    await eventually(
      async () => {
        await service.chain.mineWhileWaiting(1);
        expect(await buyer.run('mutation { checkPaymentCollectionPayment }')).toBe('unpaid');
        return notesOf(await orderOf(code));
      },
      ([note]) => /^The payer sent too little or too late/.test(note ?? ''),
    );
    expect((await orderOf(code)).state).toBe('ArrangingPayment');
  });

  it('is refunded in part, by a claim that only administrators see', async () => {
    const buyer = new Buyer('shop-api');
    const code = await buyer.arrange();
    const checkout = await buyer.checkout();
    await pay(checkout, 12.5);
    await becomes(checkout, 'completed');
    const { payments, ...order } = await orderIn(code, 'PaymentSettled');

    const refund = (amount: number) =>
      admin.run(
        `mutation($input: RefundOrderInput!) { refundOrder(input: $input) { __typename
          ... on Refund { state total } } }`,
        { input: { ...NO_LINES, paymentId: payments[0]!.id, amount } },
      );
    expect(await refund(500)).toMatchObject({ __typename: 'Refund', total: 500 });
    expect(await refund(500)).toMatchObject({ __typename: 'Refund', total: 500 });
    const after = await eventually(
      () => orderOf(code),
      (one) => one.payments[0]!.refunds.filter(({ state }) => state === 'Settled').length === 2,
    );
    expect(await refund(500)).toMatchObject({ __typename: 'RefundAmountError' });

    const ids = after.payments[0]!.refunds.map(({ transactionId }) => transactionId);
    expect(new Set(ids).size).toBe(2);
    const note = expect.stringMatching(/^Refund of 5 USDC, .* address at http.* Then approve/);
    expect(await notesOf({ ...order, payments })).toEqual([note, note]);
    const read = `query($code: String!) { orderByCode(code: $code) { payments { metadata refunds { id } }
      history { items { data } } } }`;
    expect(JSON.stringify(await buyer.run(read, { code }))).not.toMatch(/claim|refund\//);
  });

  it('has a failed refund, with the reason, if the service rejects the refund', async () => {
    const buyer = new Buyer('shop-api');
    const code = await buyer.arrange();
    const checkout = await buyer.checkout();
    await pay(checkout, 12.5);
    await becomes(checkout, 'completed');
    const { payments } = await orderIn(code, 'PaymentSettled');
    const refund = { claim: {}, amount: '12.5', reason: 'returned' };
    await service.api.post(`/v1/refunds/payment-request/${checkout.paymentRequestId}`, refund);

    await admin.run('mutation($input: RefundOrderInput!) { refundOrder(input: $input) { __typename } }', {
      input: { ...NO_LINES, paymentId: payments[0]!.id, amount: 500 },
    });

    const after = await eventually(
      () => orderOf(code),
      (order) => order.payments[0]!.refunds[0]?.state === 'Failed',
    );
    expect(await notesOf(after)).toEqual([expect.stringMatching(/^Refund .* was not created\. /)]);
  });

  it('is paid once, without a webhook, when the payer starts again or the scheduled task runs', async () => {
    await service.api.delete(`${webhookPath}/delete`);
    const [first, second, third] = [new Buyer('shop-api'), new Buyer('shop-api'), new Buyer('shop-api')];
    const codes = [await first.arrange(), await second.arrange(), await third.arrange()];
    for (const buyer of [first, second, third]) {
      const checkout = await buyer.checkout();
      await pay(checkout, 12.5);
      await becomes(checkout, 'completed');
    }
    expect(await Promise.all(codes.map(orderOf))).toMatchObject(
      codes.map(() => ({ state: 'ArrangingPayment' })),
    );

    await expect(first.checkout()).rejects.toThrow(/is already paid/);
    expect((await orderOf(codes[0]!)).state).toBe('PaymentSettled');
    expect(await second.run('mutation { checkPaymentCollectionPayment }')).toBe('paid');
    expect(await second.run('mutation { checkPaymentCollectionPayment }')).toBeNull();
    await admin.run('mutation { runScheduledTask(id: "payment-collection-check") { success } }');
    await orderIn(codes[2]!, 'PaymentSettled');

    const payments = (await Promise.all(codes.map(orderOf))).map((order) => order.payments.length);
    expect(payments).toEqual([1, 1, 1]);
  });
});

vendureGuideSuite(() => ({
  service,
  folder,
  url,
  environment,
  kill: async () => void (await server.end('SIGKILL')),
}));
