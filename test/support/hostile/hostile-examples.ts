import { newId } from '#shared/kernel/ids.js';
import type { Field, Operation } from './hostile-api.js';
import { inDays, WALLET } from './hostile-subscriptions.js';
import type { HostileWorld } from './hostile-world.js';

/** A request that succeeds, with every field that the operation documents. */
export interface Example {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** That the operation needs besides those of the credential. */
  headers?: Record<string, string>;
}

const PAYER = 'anna@mail.example';
const ORDER = {
  total: '12.50',
  coin_code: 'USDC',
  description: 'Table 7',
  merchant: {
    name: 'Corner Coffee',
    description: 'Coffee and cake',
    tax_id: 'DE123456789',
    image: 'https://coffee.example/logo.png',
    mcc: '5814',
  },
  items: [{ description: 'Flat white', amount: '8.00', coin_code: 'USDC', unit_price: '4.00', quantity: 2 }],
};

const pointOfSale = ({ home, service }: HostileWorld) => ({
  name: 'Till',
  type: 'physical',
  account_id: home.accountId,
  config: {
    merchant: ORDER.merchant,
    payment_options: [service.assets[0]!.unique_asset_id],
    return_url: 'https://shop.example/return',
    frame_origins: ['https://shop.example'],
    checkout_first: 'code',
    open_amount: true,
    till: { coin_code: 'USD', tip_percentages: [5, 10], products: [{ name: 'Tea', amount: '3.50' }] },
  },
});

const TRANSACTION_FILTER = {
  ...{ type: 'payment_in', status: 'completed', reference_id: 'order-1042' },
  ...{ created_from: '2026-01-01T00:00:00Z', created_to: '2999-01-01T00:00:00+01:00' },
};

/** The external id stands in the place of the other. */
const NAMED_WALLET = { wallet_external_id: WALLET, wallet_id: null };

const TOLERANCE = { basis_points: 100, at_most: '2.5', currency: 'USD' };

export const EXAMPLES: Record<string, (world: HostileWorld) => Example> = {
  'GET /.well-known/naspip-keys': () => ({}),
  'GET /health': () => ({}),
  'GET /v1/account': () => ({ query: { page: '1', page_size: '50' } }),
  'GET /v1/organization': () => ({}),
  'POST /v1/account': () => ({
    body: { name: 'Berlin', external_id: newId<string>(), underpayment_tolerance: TOLERANCE },
  }),
  'GET /v1/account/{accountID}': ({ home }) => ({ path: { accountID: home.accountId } }),
  'PUT /v1/account/{accountID}': ({ accounts }) => ({
    path: { accountID: accounts.idleId },
    body: { name: 'Berlin', external_id: newId<string>(), underpayment_tolerance: TOLERANCE },
  }),
  'DELETE /v1/account/{accountID}': ({ accounts }) => ({ path: { accountID: accounts.spare() } }),
  'GET /v1/account/{accountID}/settlement-addresses': ({ home }) => ({
    path: { accountID: home.accountId },
    query: { page: '1', page_size: '50' },
  }),
  'POST /v1/account/{accountID}/webhook': ({ home }) => ({
    path: { accountID: home.accountId },
    body: { url: 'http://127.0.0.1:9/hook', event_type: 'payment_request', description: 'Order system' },
  }),
  'GET /v1/account/{accountID}/webhook/list': ({ home }) => ({
    path: { accountID: home.accountId },
    query: { page: '1', page_size: '50' },
  }),
  'GET /v1/account/{accountID}/webhook/logs': ({ home }) => ({
    path: { accountID: home.accountId },
    query: { page: '1', page_size: '50' },
  }),
  'PUT /v1/account/{accountID}/webhook/{webhookID}/url': ({ home, webhooks }) => ({
    path: { accountID: home.accountId, webhookID: webhooks.idleId },
    body: { url: 'http://127.0.0.1:9/other' },
  }),
  'PATCH /v1/account/{accountID}/webhook/{webhookID}/activate': ({ home, webhooks }) => ({
    path: { accountID: home.accountId, webhookID: webhooks.webhookId },
  }),
  'PATCH /v1/account/{accountID}/webhook/{webhookID}/deactivate': ({ home, webhooks }) => ({
    path: { accountID: home.accountId, webhookID: webhooks.idleId },
  }),
  'DELETE /v1/account/{accountID}/webhook/{webhookID}/delete': ({ home, webhooks }) => ({
    path: { accountID: home.accountId, webhookID: webhooks.spare() },
  }),
  'POST /v1/account/{accountID}/webhook/{webhookID}/test': ({ home, webhooks }) => ({
    path: { accountID: home.accountId, webhookID: webhooks.webhookId },
  }),
  // While an overlap lasts, which 0 does not, there is no second.
  'POST /v1/account/{accountID}/webhook/{webhookID}/rotate-secret': ({ home, webhooks }) => ({
    path: { accountID: home.accountId, webhookID: webhooks.spare() },
    body: { overlap_seconds: 0 },
  }),
  'POST /v1/account/{accountID}/webhook/{webhookID}/end-overlap': ({ home, webhooks }) => ({
    path: { accountID: home.accountId, webhookID: webhooks.webhookId },
  }),
  'POST /v1/account/{accountID}/webhook/{webhookID}/delivery/{deliveryID}/resend': ({ home, webhooks }) => ({
    path: { accountID: home.accountId, webhookID: webhooks.webhookId, deliveryID: webhooks.deliveryId },
  }),
  'POST /v1/account/{accountID}/webhook/{webhookID}/replay': ({ home, webhooks }) => ({
    path: { accountID: home.accountId, webhookID: webhooks.webhookId },
    body: { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z', dry_run: false },
  }),
  'GET /v1/events': ({ home, webhooks }) => ({
    query: {
      ...{ after: webhooks.eventId, limit: '100', account_id: home.accountId, event_type: 'payment_request' },
      ...{ payment_request_id: home.paymentRequestId, created_from: '2026-01-01T00:00:00Z' },
      created_to: '2999-01-01T00:00:00+01:00',
    },
  }),
  'GET /v1/assets': () => ({ query: { page: '1', page_size: '50' } }),
  'POST /v1/auth/token': ({ home }) => ({
    body: { api_key: home.credential.keyId, api_secret: home.credential.secret },
  }),
  'GET /v1/pos': ({ home }) => ({ query: { page: '1', page_size: '50', account_id: home.accountId } }),
  'POST /v1/pos': (world) => ({ body: pointOfSale(world) }),
  'GET /v1/pos/{posID}': ({ home }) => ({ path: { posID: home.posId } }),
  'DELETE /v1/pos/{posID}': ({ tills }) => ({ path: { posID: tills.spareId() } }),
  'PUT /v1/pos/{posID}': (world) => ({ path: { posID: world.accounts.idlePosId }, body: pointOfSale(world) }),
  'POST /v1/pos/{posID}/payment-request': ({ home, service }) => ({
    path: { posID: home.posId },
    body: {
      amount: '12.50',
      unique_asset_id: service.assets[0]!.unique_asset_id,
      reference_id: 'order-1042',
      payer_email: PAYER,
      order: ORDER,
    },
  }),
  'GET /v1/pos/{posID}/payment-request': ({ home }) => ({
    path: { posID: home.posId },
    query: {
      ...{ page: '1', page_size: '50', status: 'created', reference_id: 'order-1042' },
      ...{ created_from: '2026-01-01T00:00:00Z', created_to: '2999-01-01T00:00:00+01:00' },
    },
  }),
  'POST /v1/pos/{posID}/payment-request-checkout': ({ home }) => ({
    path: { posID: home.posId },
    body: {
      ...{ amount: '12.50', coin_code: 'USD', reference_id: 'order-1042', order: ORDER },
      payer_email: PAYER,
      return_url: 'https://shop.example/thanks',
    },
  }),
  'GET /public/checkout/{sessionId}': ({ home }) => ({ path: { sessionId: home.sessionId } }),
  'POST /public/checkout/{sessionId}/select-asset': ({ home, service }) => ({
    path: { sessionId: home.sessionId },
    body: { unique_asset_id: service.assets[0]!.unique_asset_id },
  }),
  'POST /public/checkout/{sessionId}/authorization': ({ home }) => ({
    path: { sessionId: home.sessionId },
    body: { ...home.authorization },
  }),
  'GET /public/checkout/{sessionId}/payment': ({ home, service }) => ({
    path: { sessionId: home.sessionId },
    query: { payment_option: service.assets[0]!.unique_asset_id },
  }),
  'GET /public/checkout/{sessionId}/x402': ({ home, service }) => ({
    path: { sessionId: home.sessionId },
    query: { payment_option: service.assets[0]!.unique_asset_id },
  }),
  'GET /v1/pos/{posID}/payment-request/{paymentRequestID}': ({ home }) => ({
    path: { posID: home.posId, paymentRequestID: home.paymentRequestId },
  }),
  'POST /v1/pos/{posID}/payment-request/{paymentRequestID}/expire': ({ home }) => ({
    path: { posID: home.posId, paymentRequestID: home.paymentRequestId },
  }),
  'POST /public/till/pairing': ({ devices }) => ({
    body: { code: devices.spareCode(), device_name: 'Phone at the bar' },
  }),
  'POST /public/till/pairing/subject': ({ devices }) => ({ body: { code: devices.lastCode() } }),
  'GET /v1/pos/{posID}/payment-request/{paymentRequestID}/explain': ({ home }) => ({
    path: { posID: home.posId, paymentRequestID: home.paymentRequestId },
  }),
  // Of no transaction that there is.
  'GET /v1/explain/{transactionHash}': () => ({ path: { transactionHash: `0x${'ab'.repeat(32)}` } }),
  'POST /v1/pos/{posID}/payment-link': ({ home }) => ({
    path: { posID: home.posId },
    body: {
      ...{ amount: '12.50', coin_code: 'USD', order: ORDER },
      payer_email: PAYER,
      return_url: 'https://shop.example/thanks',
    },
  }),
  'GET /v1/pos/{posID}/payment-link': ({ home }) => ({
    path: { posID: home.posId },
    query: { page: '1', page_size: '50' },
  }),
  'PATCH /v1/pos/{posID}/payment-link/{linkID}/activate': ({ home }) => ({
    path: { posID: home.posId, linkID: home.paymentLink.id },
  }),
  // What is switched off cannot be opened, and the others open the payment link.
  'PATCH /v1/pos/{posID}/payment-link/{linkID}/deactivate': ({ home }) => ({
    path: { posID: home.posId, linkID: home.idleLinkId },
  }),
  'GET /public/payment-links/{code}/checkout': ({ home }) => ({ path: { code: home.paymentLink.code } }),
  'POST /public/payment-links/{code}/checkout': ({ home }) => ({
    path: { code: home.paymentLink.code },
    body: { new: false },
  }),
  'PUT /public/payment-links/{code}/checkout': ({ home, service }) => ({
    path: { code: home.paymentLink.code },
    body: { unique_asset_id: service.assets[0]!.unique_asset_id },
    headers: { cookie: home.paymentLink.cookie },
  }),
  'GET /public/pos/{code}': ({ tills }) => ({ path: { code: tills.code } }),
  'POST /public/pos/{code}': ({ tills }) => ({
    path: { code: tills.spare() },
    body: { amount: '12.50', coin_code: 'USD', replaces: 'q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo' },
  }),
  'POST /v1/refunds/payment-request/{paymentRequestID}': ({ refunds, service }) => ({
    path: { paymentRequestID: refunds.home.requestId },
    body: {
      claim: { expires_at: inDays(1) },
      // The claim stands in their place.
      refund_to_address: null,
      paid_transaction_hash: null,
      ...{ amount: '0.01', unique_asset_id: service.assets[0]!.unique_asset_id, reason: 'Returned goods' },
    },
  }),
  'GET /v1/refunds': ({ refunds }) => ({
    query: { page: '1', page_size: '50', status: 'pending', payment_request_id: refunds.home.requestId },
  }),
  'GET /v1/refunds/{refundID}': ({ refunds }) => ({ path: { refundID: refunds.home.refundId } }),
  'POST /v1/refunds/{refundID}/claim': ({ refunds }) => ({
    path: { refundID: refunds.home.refundId },
    body: { expires_at: inDays(1) },
  }),
  'POST /v1/refunds/{refundID}/approve': ({ refunds }) => ({ path: { refundID: refunds.home.spare() } }),
  'POST /v1/refunds/{refundID}/cancel': ({ refunds }) => ({ path: { refundID: refunds.home.spare() } }),
  'POST /v1/pos/{posID}/subscription': ({ home, service }) => ({
    path: { posID: home.posId },
    body: {
      ...{ amount: '12.50', unique_asset_id: service.assets[0]!.unique_asset_id, interval: 'P1M' },
      ...{ reference_id: 'member-1042', trial_until: inDays(7), ends_at: inDays(300), expires_at: inDays(2) },
    },
  }),
  'GET /v1/pos/{posID}/subscription': ({ home }) => ({
    path: { posID: home.posId },
    query: { page: '1', page_size: '50', status: 'active' },
  }),
  'GET /v1/pos/{posID}/subscription/{subscriptionID}': ({ home }) => ({
    path: { posID: home.posId, subscriptionID: home.subscriptions.agreedId },
  }),
  'POST /v1/pos/{posID}/subscription/{subscriptionID}/revoke': ({ home }) => ({
    path: { posID: home.posId, subscriptionID: home.subscriptions.endedId },
  }),
  'POST /v1/wallets/v1/subscriptions/{id}/accept': ({ home }) => ({
    path: { id: home.subscriptions.agreedId },
    body: NAMED_WALLET,
  }),
  'POST /v1/wallets/v1/subscriptions/{id}/revoke': ({ home }) => ({
    path: { id: home.subscriptions.endedId },
    body: NAMED_WALLET,
  }),
  'GET /v1/wallets/v1/subscriptions/{id}/charges': ({ home }) => ({
    path: { id: home.subscriptions.agreedId },
    query: { page: '1', page_size: '50' },
  }),
  'POST /v1/naspip/read': ({ home }) => ({ body: { token: home.paymentToken } }),
  'GET /v1/transactions': ({ home }) => ({
    query: { page: '1', page_size: '50', accountID: home.accountId, ...TRANSACTION_FILTER },
  }),
  'GET /v1/transactions.csv': ({ home }) => ({ query: { accountID: home.accountId, ...TRANSACTION_FILTER } }),
  'GET /v1/statements': ({ home }) => ({
    query: { page: '1', page_size: '50', accountID: home.accountId, month: '2026-01' },
  }),
  'GET /v1/journal.csv': ({ home }) => ({
    query: { accountID: home.accountId, month: '2026-01', format: 'lines' },
  }),
  'GET /v1/transactions/settlement/{accountID}': ({ home }) => ({
    path: { accountID: home.accountId },
    query: { page: '1', page_size: '50' },
  }),
};

/** @throws where the table above has no example */
export function exampleOf({ name }: Operation, world: HostileWorld): Example {
  const example = EXAMPLES[name]?.(world);
  if (example === undefined) {
    throw new Error(`Say in test/support/hostile/hostile-examples.ts with which request ${name} succeeds.`);
  }
  return example;
}

/** The status that answers its example: one operation succeeds by asking for a payment. */
export function answerOf({ name }: Operation): number {
  return name === 'GET /public/checkout/{sessionId}/x402' ? 402 : 200;
}

export function fieldsWithoutExample({ fields }: Operation, example: Example): string[] {
  const missing = ({ place, name, path }: Field) => {
    if (place === 'header') return false;
    // A cursor excludes `page`, which the examples have.
    if (place === 'query' && name === 'after') return false;
    if (place !== 'body') return example[place]?.[name] === undefined;
    return (
      path.reduce<unknown>((value, part) => (value as Record<string, unknown>)?.[part], example.body) ===
      undefined
    );
  };
  return fields.filter(missing).map(({ place, name }) => `${name} in ${place}`);
}

/** @param pathParameters and @param query are percent-encoded already */
export function targetOf(
  { path }: Operation,
  pathParameters: Record<string, string>,
  query: Record<string, string>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => pathParameters[name]!);
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${value}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

export function encode(text: string): string {
  return encodeURIComponent(text);
}

export function encoded(values: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encode(value)]));
}
