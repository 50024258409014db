import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrderState } from '../../plugin-contract/src/order-states.js';
import { Refusal } from '../../plugin-contract/src/refusal.js';
import {
  CALLS,
  callsIn,
  checkoutCases,
  deliveryOf,
  orderCases,
  paymentOf,
  PREVIOUS,
  priceCases,
  refundCases,
  SECRET,
  type OrderCase,
  type OrderEvent,
} from '../../plugin-contract/test/support.js';
import { fail, ScriptedApi, succeed } from '../../typescript/test/support/scripted-api.js';
import { checkOptions } from '../src/options.js';
import { OrderPayments, type LockedOrder, type ShopOrders } from '../src/order-payments.js';

const POS = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90';
const TEXTS: readonly (readonly [string, RegExp])[] = [
  ['received_more', /^The payer sent more/],
  ['received_less', /^The payer sent too little/],
  ['paid_elsewhere', /^The order was already paid or canceled/],
  ['price_differs', /^The order has changed/],
];
const IDS = { payment: 'request-1', order: 'order-1', pointOfSale: POS };

/** One order of a shop without states for a payment that was seen, or that has ended. */
class OneOrder implements ShopOrders {
  state: OrderState = 'waiting';
  paymentId: string | undefined;
  price = { amount: '12.50', coin_code: 'EUR' };
  isDeleted = false;
  paid = 0;
  readonly notes: string[] = [];

  async withOrder(code: string, work: (order: LockedOrder) => Promise<void>): Promise<void> {
    if (this.isDeleted || code !== IDS.order) return;
    const { state, paymentId, price, notes } = this;
    await work({
      ...{ state, paymentId, price, notes },
      pay: ({ id }) => {
        Object.assign(this, { state: 'paid', paymentId: id, paid: this.paid + 1 });
        return Promise.resolve();
      },
      addNote: (note) => Promise.resolve(void this.notes.push(note)),
    });
  }
}

let api: ScriptedApi;
beforeEach(async () => {
  api = await ScriptedApi.start();
});
afterEach(() => api.stop());

const payments = (more = {}) =>
  new OrderPayments({
    ...{ baseUrl: api.url, apiKey: 'svc.dev.1', apiSecret: 'the secret', pointOfSaleId: POS },
    ...{ webhookSecret: [SECRET, PREVIOUS], ...more },
  });
const listed = (...ids: string[]) => succeed({ data: ids.map((id) => ({ id })), page: 1, total_pages: 1 });

/** Vendure has no order states for a payment that was seen or has ended, and learns of a refund only if it was made in Vendure. */
function shownState({ state }: OrderEvent, order: OneOrder): OrderState | null {
  if (state === 'refunded' && order.state !== 'refunded') return order.paid > 0 ? 'paid' : 'waiting';
  return state === 'confirming' || state === 'unpaid' ? 'waiting' : state;
}

async function run({ events, notes }: OrderCase): Promise<void> {
  const [order, work] = [new OneOrder(), payments()];
  for (const [index, event] of events.entries()) {
    const { payment, change = {} } = event;
    const answer =
      payment === 'unreachable' ? fail(501, 'unavailable') : payment && succeed(paymentOf(payment));
    const id = typeof payment === 'object' ? payment.id : undefined;
    api.requests.length = 0;
    if (event.on === 'webhook') {
      api.answers(answer!);
      const isAccepted = await work.webhook(deliveryOf(event, IDS), order).then(
        () => true,
        () => false,
      );
      expect(isAccepted).toBe(event.answer === undefined);
    } else if (event.on === 'shop') {
      if (change.state) order.state = change.state;
      if (change.deleted) order.isDeleted = true;
      const { amount = order.price.amount, currency = order.price.coin_code } = change;
      order.price = { amount, coin_code: currency };
    } else if (event.on === 'checkout') {
      const next = succeed({ id: 'request-2', hosted_checkout_url: 'https://pay.example/2' });
      api.answers(
        listed('request-1'),
        answer!,
        ...(event.checkout === 'replaced' ? [succeed({})] : []),
        next,
      );
      const opened = work.open(IDS.order, order.price, []);
      if (event.checkout === 'refused') await expect(opened).rejects.toBeInstanceOf(Refusal);
      else if (event.checkout === 'failed') await expect(opened).rejects.toThrow();
      else
        expect((await opened).paymentRequestId).toBe(event.checkout === 'kept' ? 'request-1' : 'request-2');
      expect(callsIn(api.requests)).toEqual(CALLS[event.checkout!]);
    } else {
      if (id === undefined) api.answers(listed('request-1'), answer!);
      else api.answers(listed('request-1', id), succeed(paymentOf({ status: 'created' })), answer!);
      const state = await work.check(IDS.order, order).catch(() => event.state);
      expect([event.state, shownState(event, order)]).toContain(state);
    }
    expect([index, order.isDeleted ? null : order.state]).toEqual([index, shownState(event, order)]);
  }
  expect(order.notes.map((note) => TEXTS.find(([, text]) => text.test(note))?.[0])).toEqual(notes);
  expect(order.paid).toBeLessThanOrEqual(1);
}

describe('The Vendure plugin', () => {
  const cases = orderCases.filter(({ not_in }) => not_in?.['vendure'] === undefined);

  it.each(cases.map((one) => [one.name, one] as const))('passes the recorded case: %s', (_, one) => run(one));

  it.each(checkoutCases)(
    'opens a checkout: $name',
    async ({ price, reference_id, items, return_url, body }) => {
      api.answers(listed(), succeed({ id: 'request-1', hosted_checkout_url: 'https://pay.example/1' }));

      const checkout = await payments({ returnUrl: return_url }).open(reference_id, price, items);

      expect(checkout).toMatchObject({ paymentRequestId: 'request-1', url: 'https://pay.example/1' });
      expect(JSON.parse(api.requests[1]!.body)).toEqual(body);
      const key = `order-1-first-${price.amount}-${price.coin_code}`;
      expect(api.requests[1]!.headers['idempotency-key']).toBe(key);
    },
  );

  it.each(refundCases)(
    'refunds: $name',
    async ({ part, price, currency, decimals, payment, amount, refused }) => {
      const read = succeed({ ...paymentOf(payment), amount: price, coin_code: currency });
      const assets = succeed({ data: [{ unique_asset_id: 'usdc', decimals }], page: 1, total_pages: 1 });
      api.answers(read, assets, succeed({ id: 'refund-1' }));

      const made = await payments().refund('request-1', { id: 'refund-key', part, reason: 'Returned' });

      if (refused !== undefined) {
        expect(made).toEqual({ note: expect.stringContaining(refused) });
        return;
      }
      expect(made.id).toBe('refund-1');
      const { body, headers } = api.requests[2]!;
      expect(JSON.parse(body)).toEqual({ claim: {}, amount, reason: 'Returned' });
      expect(headers['idempotency-key']).toBe('refund-key');
    },
  );

  it('repeats a refund only if the service can accept it later', async () => {
    const asked = { id: 'refund-key', part: '5', reason: 'Returned' };
    const paid = succeed(paymentOf({ status: 'completed', received: '13.520004' }));
    const assets = succeed({ data: [{ unique_asset_id: 'usdc', decimals: 6 }], page: 1, total_pages: 1 });

    api.answers(paid, assets, fail(409, 'refund_exceeds_received'));
    expect(await payments().refund('request-1', asked)).toEqual({
      note: expect.stringMatching(/^Refund refund-key was not created\. This is refund_exceeds_received/),
    });
    api.answers(paid, assets, fail(501, 'unavailable'));
    await expect(payments().refund('request-1', asked)).rejects.toThrow('This is unavailable');
  });

  it.each(priceCases)('rounds $amount $currency', async ({ amount, currency, price, refused }) => {
    api.answers(listed(), succeed({ id: 'request-1' }));

    const opened = payments().open('order-1', { amount, coin_code: currency }, []);

    if (refused !== undefined) return expect(opened).rejects.toThrow(refused);
    await opened;
    expect(JSON.parse(api.requests[1]!.body)).toMatchObject({
      amount: price,
      coin_code: currency.toUpperCase(),
    });
  });

  it('opens each new checkout with another idempotency key', async () => {
    const price = { amount: '1250e-2', coin_code: 'EUR' };
    const next = succeed({ id: 'request-2' });
    api.answers(listed('request-1'), succeed(paymentOf({ status: 'created' })), succeed({}), next);
    await payments().open('order-1', { ...price, amount: '1500e-2' }, []);
    expect(api.requests.at(-1)!.headers['idempotency-key']).toBe('order-1-request-1-15-EUR');

    api.answers(listed('request-1'), succeed(paymentOf({ status: 'expired' })), next);
    await payments().open('order-1', price, []);
    expect(api.requests.at(-1)!.headers['idempotency-key']).toBe('order-1-request-1-12.5-EUR');
  });

  it('refuses a checkout if an earlier request was paid', async () => {
    const reads = [{ status: 'expired' }, { id: 'request-0', status: 'completed', received: '13.520004' }];
    api.answers(listed('request-1', 'request-0'), ...reads.map((one) => succeed(paymentOf(one))));

    await expect(payments().open('order-1', { amount: '12.5', coin_code: 'EUR' }, [])).rejects.toThrow(
      /request-0 of this order is already paid/,
    );
  });

  it('accepts a payment only for its order, at its price, and once it is paid', () => {
    const fault = (status: string, code = 'order-1', amount = '1250e-2') =>
      payments().faultOf(paymentOf({ status, received: '13.520004' }), code, { amount, coin_code: 'EUR' });

    expect(fault('completed')).toBeUndefined();
    expect(fault('completed', 'order-2')).toMatch(/another order/);
    expect(fault('completed', 'order-1', '1251e-2')).toMatch(/another price/);
    expect(fault('processing')).toMatch(/is not paid/);
  });

  it('links to the dashboard if its URL is known', async () => {
    const order = new OneOrder();
    api.answers(succeed(paymentOf({ status: 'overpaid', received: '20' })));
    const event = { on: 'webhook', payment: { status: 'overpaid' }, state: 'paid' } as const;

    await payments({ dashboardUrl: 'https://payments.example' }).webhook(deliveryOf(event, IDS), order);

    expect(order.notes[0]).toMatch(/ https:\/\/payments\.example\/app\/payments\/request-1$/);
    expect(payments().pageOf('refunds', 'refund-1')).toBe('refund-1');
  });

  it('names missing options without values', () => {
    expect(() => checkOptions({ apiSecret: 'the secret' })).toThrow(
      /baseUrl, apiKey, pointOfSaleId, webhookSecret is required/,
    );
  });
});
