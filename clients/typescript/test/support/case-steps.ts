import type { PaymentCollectionClient } from '../../src/index.js';
import type { Step } from './recorded-cases.js';

type Call = (client: PaymentCollectionClient, step: Step, kept: string[]) => Promise<unknown>;
/** Recorded bodies are untyped. types.test.ts tests the types. */
type Untyped = Record<string, (...given: unknown[]) => unknown>;

const byPath =
  (method: string): Call =>
  (client, { path, params, query, body, idempotency_key: idempotencyKey }) => {
    const init = { params: { path: params, query }, body, ...(idempotencyKey && { idempotencyKey }) };
    return untyped(client)[method]!(path, init) as Promise<unknown>;
  };
const ofShop =
  (name: string, given: (step: Step) => unknown[]): Call =>
  async (client, step) =>
    untyped(client.pointOfSale(step.pos!))[name]!(...given(step));
const ofRefunds =
  (name: string, given: (step: Step) => unknown[]): Call =>
  async (client, step) =>
    untyped(client.refunds)[name]!(...given(step));

const creation = ({ body, idempotency_key: idempotencyKey }: Step) => [
  body,
  idempotencyKey ? { idempotencyKey } : {},
];
const patience = ({ interval_ms: interval, timeout_ms: timeout }: Step) => ({
  ...(interval && { interval }),
  ...(timeout && { timeout }),
});

/** Client calls, by their names in the recorded cases. */
export const stepCalls: Readonly<Record<string, Call>> = {
  get: byPath('get'),
  post: byPath('post'),
  put: byPath('put'),
  patch: byPath('patch'),
  delete: byPath('delete'),
  list: (client, { path: listed, params: path, query, page_size: pageSize, take }) => {
    const init = { path, query, ...(pageSize && { pageSize }) };
    return taken(untyped(client)['list']!(listed, init), take);
  },
  events: (client, { query, take }, kept) =>
    taken(client.events(query, { keepCursor: (cursor) => void kept.push(cursor) }), take),
  create_payment_request: ofShop('createPaymentRequest', creation),
  create_checkout: ofShop('createCheckout', creation),
  create_subscription: ofShop('createSubscription', creation),
  read_payment: ofShop('readPayment', ({ id }) => [id]),
  expire_payment_request: ofShop('expirePaymentRequest', ({ id }) => [id]),
  read_subscription: ofShop('readSubscription', ({ id }) => [id]),
  revoke_subscription: ofShop('revokeSubscription', ({ id }) => [id]),
  payments: (client, { pos, query }) => taken(client.pointOfSale(pos!).payments(query)),
  subscriptions: (client, { pos, query }) => taken(client.pointOfSale(pos!).subscriptions(query)),
  wait_for_payment: ofShop('waitForPayment', (step) => {
    const { id, until } = step;
    const isEnd = ({ status }: { status: string }) => until!.includes(status);
    return [id, { ...patience(step), ...(until && { until: isEnd }) }];
  }),
  x402_url: ofShop('x402Url', (step) => [step.id, patience(step)]),
  create_refund: ofRefunds('create', (step) => [step.id, ...creation(step)]),
  read_refund: ofRefunds('read', ({ id }) => [id]),
  approve_refund: ofRefunds('approve', ({ id }) => [id]),
  cancel_refund: ofRefunds('cancel', ({ id }) => [id]),
  refunds: (client, { query }) => taken(client.refunds.list(query)),
};

const untyped = (object: unknown) => object as Untyped;

async function taken(items: unknown, limit = Infinity): Promise<unknown[]> {
  const list: unknown[] = [];
  for await (const item of items as AsyncIterable<unknown>) if (list.push(item) >= limit) break;
  return list;
}
