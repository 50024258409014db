import { describe, expect, it, afterEach, beforeEach } from '@jest/globals';
import { fail, ScriptedApi, succeed } from '../../typescript/test/support/scripted-api.js';
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
import { Refusal } from '../../plugin-contract/src/refusal.js';
import catchUp from '../src/catch-up.js';
import { SessionPayments } from '../src/session-payments.js';
import { POINT_OF_SALE_ID } from './support/a-payment.js';

const SESSION = 'payses_1';
const IDS = { payment: 'request-1', order: SESSION, pointOfSale: POINT_OF_SALE_ID };
const STATES: Readonly<Record<string, string>> = {
  pending: 'waiting',
  requires_more: 'waiting',
  error: 'unpaid',
  canceled: 'unpaid',
  captured: 'paid',
};

/** Medusa as far as it handles a session: it applies a paid session to a collection that is not paid, and stores other statuses. */
class MedusaDouble {
  collection = 'awaiting';
  session: { status: string; isConfirming: boolean } = { status: 'pending', isConfirming: false };
  price = { amount: '12.50', currency_code: 'eur' };
  /** Notes in the log, and in the data of the payment. */
  readonly notes: string[] = [];
  private data: Record<string, unknown> = { session_id: SESSION, payment_request_id: 'request-1' };
  readonly payments: SessionPayments;
  private readonly options;

  constructor(baseUrl: string) {
    this.options = {
      ...{ baseUrl, apiKey: 'svc.dev.1', apiSecret: 'the secret', pointOfSaleId: POINT_OF_SALE_ID },
      ...{ webhookSecret: [SECRET, PREVIOUS], retries: { attempts: 1 } },
    };
    this.payments = new SessionPayments(this.options);
  }

  get state(): string {
    if (this.collection === 'canceled_by_card') return 'closed';
    return this.session.isConfirming ? 'confirming' : STATES[this.session.status]!;
  }

  async webhook(event: OrderEvent): Promise<void> {
    const { body, headers } = deliveryOf(event, IDS);
    const { action, data } = await this.payments.webhook({ rawData: body, headers });
    if (data === undefined || data.session_id !== SESSION || this.session.status === 'captured') return;
    if (action === 'captured' && this.collection === 'awaiting') await this.complete();
    else this.session.isConfirming = action === 'pending';
  }

  /** Authorizes the session, as Medusa does when the storefront completes the cart. */
  async complete(): Promise<void> {
    const { status, data } = await this.payments.authorize({ data: this.data });
    this.data = data;
    if (status === 'captured') this.captured();
    this.session.isConfirming = status === 'pending';
  }

  /** Starts a payment again. Medusa updates a session while its request is open, and replaces the session otherwise. */
  async checkout(isOpen: boolean): Promise<void> {
    if (isOpen) {
      const data = { ...this.data, amount: '12.5', coin_code: 'EUR' };
      await this.payments.update({ data, ...this.price });
      return;
    }
    await this.payments.close({ data: this.data });
    await this.payments.initiate({ data: { session_id: 'payses_2' }, ...this.price });
  }

  async check(): Promise<void> {
    const stored = { id: SESSION, status: this.session.status, data: this.data };
    const collection = this.collection === 'awaiting' ? 'awaiting' : 'completed';
    const session = {
      ...stored,
      ...this.price,
      payment_collection: { status: collection },
    };
    const isOpen = ['pending', 'requires_more'].includes(this.session.status);
    const parts: Readonly<Record<string, object>> = {
      payment: {
        listPaymentSessions: () => Promise.resolve(isOpen ? [session] : []),
        updatePaymentSession: ({ status, data }: { status: string; data: Record<string, unknown> }) => {
          this.session.status = status;
          this.data = data;
          return Promise.resolve();
        },
      },
      workflows: { run: () => this.complete() },
      logger: {
        warn: (text: string) =>
          void this.notes.push(...(/: (\w+), payment request/.exec(text)?.slice(1) ?? [])),
      },
    };
    await catchUp({ resolve: (name) => parts[name] }, { id: 'main', options: this.options });
  }

  private captured(): void {
    this.session = { status: 'captured', isConfirming: false };
    this.collection = 'completed';
    if (this.data['payment_status'] === 'overpaid') this.notes.push('received_more');
  }
}

let api: ScriptedApi;
beforeEach(async () => {
  api = await ScriptedApi.start();
});
afterEach(() => api.stop());

async function run({ events, notes, no_notes_in }: OrderCase): Promise<void> {
  const medusa = new MedusaDouble(api.url);
  for (const [index, event] of events.entries()) {
    const { payment } = event;
    api.requests.length = 0;
    if (payment === 'unreachable') api.answers(fail(501, 'unavailable'));
    else if (payment) api.answers(succeed(paymentOf(payment, { reference_id: SESSION })));
    if (event.on === 'webhook') {
      const isAccepted = await medusa.webhook(event).then(
        () => true,
        () => false,
      );
      expect(isAccepted).toBe(event.answer === undefined);
      // The job ends sessions and makes notes, because a webhook does not say whether another session has paid the cart.
      if (notes.length > 0 || event.state === 'unpaid' || event.state === 'refunded') await medusa.check();
    } else if (event.on === 'check') await medusa.check();
    else if (event.on === 'return') await medusa.complete();
    else if (event.on === 'checkout') {
      const started = medusa.checkout(['kept', 'replaced'].includes(event.checkout!));
      if (event.checkout === 'refused') await expect(started).rejects.toBeInstanceOf(Refusal);
      else if (event.checkout === 'failed') await expect(started).rejects.toThrow();
      else await started;
      expect(callsIn(api.requests)).toEqual(CALLS[event.checkout!]);
    } else {
      const {
        state,
        amount = medusa.price.amount,
        currency = medusa.price.currency_code,
      } = event.change ?? {};
      if (state === 'closed') medusa.collection = 'canceled_by_card';
      medusa.price = { amount, currency_code: currency };
    }
    // A canceled session is either unpaid or refunded.
    const state = event.state === 'refunded' ? 'unpaid' : event.state;
    expect([index, medusa.state]).toEqual([index, state]);
  }
  expect(medusa.notes).toEqual(no_notes_in?.['medusa'] === undefined ? notes : []);
}

describe('The Medusa provider', () => {
  const cases = orderCases.filter(({ not_in }) => not_in?.['medusa'] === undefined);
  const payments = (more = {}) =>
    new SessionPayments({
      ...{ baseUrl: api.url, apiKey: 'svc.dev.1', apiSecret: 'the secret', webhookSecret: SECRET },
      ...{ pointOfSaleId: POINT_OF_SALE_ID, ...more },
    });
  const opened = succeed({ id: 'request-1', status: 'pending' });

  it.each(cases.map((one) => [one.name, one] as const))('passes the recorded case: %s', (_, one) => run(one));

  it.each(priceCases)('rounds $amount $currency', async ({ amount, currency, price, refused }) => {
    api.answers(opened);

    const session = payments().initiate({
      data: { session_id: SESSION },
      amount,
      currency_code: currency.toLowerCase(),
    });

    if (refused !== undefined) return expect(session).rejects.toThrow(refused);
    await session;
    expect(JSON.parse(api.requests[0]!.body)).toMatchObject({
      amount: price,
      coin_code: currency.toUpperCase(),
    });
  });

  it.each(checkoutCases)(
    'opens a checkout: $name',
    async ({ price, reference_id, items, return_url, body }) => {
      api.answers(opened);

      await payments({ returnUrl: return_url }).initiate({
        data: {
          session_id: reference_id,
          items: items.map(({ name, quantity, total }) => ({ title: name, quantity, total })),
        },
        ...{ amount: price.amount, currency_code: price.coin_code },
      });

      expect(JSON.parse(api.requests[0]!.body)).toEqual(body);
      expect(api.requests[0]!.headers['idempotency-key']).toBe(reference_id);
    },
  );

  it.each(refundCases)(
    'refunds: $name',
    async ({ part, price, currency, decimals, payment, amount, refused }) => {
      const paid = { ...paymentOf(payment, { reference_id: SESSION }), amount: price, coin_code: currency };
      const assets = succeed({ data: [{ unique_asset_id: 'usdc', decimals }], page: 1, total_pages: 1 });
      api.answers(succeed(paid), assets, succeed({ id: 'refund-1', claim_url: 'https://pay.example/r' }));

      const data = { session_id: SESSION, payment_request_id: 'request-1' };
      const refund = payments().refund({ data, amount: part, context: { idempotency_key: 'ref_1' } });

      if (refused !== undefined) return expect(refund).rejects.toThrow(refused);
      await refund;
      const { body, headers } = api.requests[2]!;
      expect(JSON.parse(body)).toMatchObject({ claim: {}, amount });
      expect(headers['idempotency-key']).toBe('ref_1');
    },
  );
});
