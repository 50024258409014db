import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrderNote, OrderState } from '../../plugin-contract/src/order-states.js';
import {
  checkoutCases,
  deliveryOf,
  orderCases,
  paymentOf,
  PREVIOUS,
  refundCases,
  SECRET,
  type OrderCase,
} from '../../plugin-contract/test/support.js';
import { fail, ScriptedApi, succeed } from '../../typescript/test/support/scripted-api.js';
import { checkOptions } from '../src/options.js';
import { OrderPayments, type LockedOrder, type ShopOrders } from '../src/order-payments.js';

const POS = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90';
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
    const { state, paymentId, price } = this;
    await work({
      ...{ state, paymentId, price },
      pay: ({ id }) => {
        Object.assign(this, { state: 'paid', paymentId: id, paid: this.paid + 1 });
        return Promise.resolve();
      },
      note: ({ id }, note) => {
        const text = `${id} ${note}`;
        if (!this.notes.includes(text)) this.notes.push(text);
        return Promise.resolve();
      },
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

async function run({ events, notes }: OrderCase): Promise<void> {
  const [order, work] = [new OneOrder(), payments()];
  for (const [index, event] of events.entries()) {
    const { payment, change = {} } = event;
    const answer =
      payment === 'unreachable' ? fail(501, 'unavailable') : payment && succeed(paymentOf(payment));
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
    } else {
      api.answers(listed('request-1'), answer!);
      await work.check(IDS.order, order).catch(() => undefined);
    }
    const state = ['confirming', 'unpaid'].includes(event.state!) ? 'waiting' : event.state;
    expect([index, order.isDeleted ? null : order.state]).toEqual([index, state]);
  }
  expect(order.notes.map((note) => note.split(' ')[1] as OrderNote)).toEqual(notes);
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

      const refund = payments().refund('request-1', part, 'refund-key');

      if (refused !== undefined) return expect(refund).rejects.toThrow(refused);
      await refund;
      const { body, headers } = api.requests[2]!;
      expect(JSON.parse(body)).toMatchObject({ claim: {}, amount });
      expect(headers['idempotency-key']).toBe('refund-key');
    },
  );

  it('returns the open checkout, and replaces one with another price or an ended one', async () => {
    const price = { amount: '1250e-2', coin_code: 'EUR' };
    api.answers(listed('request-1'), succeed(paymentOf({ status: 'created' })));
    expect(await payments().open('order-1', price, [])).toMatchObject({ paymentRequestId: 'request-1' });
    expect(api.requests).toHaveLength(2);

    const next = succeed({ id: 'request-2' });
    api.answers(listed('request-1'), succeed(paymentOf({ status: 'created' })), succeed({}), next);
    await payments().open('order-1', { ...price, amount: '1500e-2' }, []);
    expect(api.requests[4]!.path).toMatch(/expire$/);
    expect(api.requests[5]!.headers['idempotency-key']).toBe('order-1-request-1-15-EUR');

    api.answers(listed('request-1'), succeed(paymentOf({ status: 'expired' })), next);
    await payments().open('order-1', price, []);
    expect(api.requests.at(-1)!.headers['idempotency-key']).toBe('order-1-request-1-12.5-EUR');

    api.answers(listed('request-1'), succeed(paymentOf({ status: 'processing' })));
    await expect(payments().open('order-1', price, [])).rejects.toThrow(/is not final yet/);
  });

  it('accepts a payment only for its order, at its price, and once it is paid', () => {
    const fault = (status: string, code = 'order-1', amount = '1250e-2') =>
      payments().faultOf(paymentOf({ status, received: '13.520004' }), code, { amount, coin_code: 'EUR' });

    expect(fault('completed')).toBeUndefined();
    expect(fault('completed', 'order-2')).toMatch(/another order/);
    expect(fault('completed', 'order-1', '1251e-2')).toMatch(/another price/);
    expect(fault('processing')).toMatch(/is not paid/);
  });

  it('names missing options without values', () => {
    expect(() => checkOptions({ apiSecret: 'the secret' })).toThrow(
      /baseUrl, apiKey, pointOfSaleId, webhookSecret is required/,
    );
  });
});
