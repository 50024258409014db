import { describe, expect, it, afterEach, beforeEach } from '@jest/globals';
import { fail, ScriptedApi, succeed } from '../../typescript/test/support/scripted-api.js';
import {
  deliveryOf,
  orderCases,
  paymentOf,
  PREVIOUS,
  SECRET,
  type OrderCase,
  type OrderEvent,
} from '../../plugin-contract/test/support.js';
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
    if (action === 'captured' && this.collection === 'awaiting') this.captured();
    this.session.isConfirming = action === 'pending';
  }

  /** Authorizes the session, as Medusa does when the storefront completes the cart. */
  async complete(): Promise<void> {
    const { status } = await this.payments.authorize({ data: this.data });
    if (status === 'captured') this.captured();
    this.session.isConfirming = status === 'pending';
  }

  async check(): Promise<void> {
    const stored = { id: SESSION, status: this.session.status, data: this.data };
    const collection = this.collection === 'awaiting' ? 'awaiting' : 'completed';
    const session = {
      ...stored,
      amount: 12.5,
      currency_code: 'eur',
      payment_collection: { status: collection },
    };
    const isOpen = ['pending', 'requires_more'].includes(this.session.status);
    const parts: Readonly<Record<string, object>> = {
      payment: {
        listPaymentSessions: () => Promise.resolve(isOpen ? [session] : []),
        updatePaymentSession: ({ status }: { status: string }) =>
          Promise.resolve((this.session.status = status)),
      },
      workflows: { run: () => Promise.resolve(this.captured()) },
      logger: { warn: () => undefined },
    };
    await catchUp({ resolve: (name) => parts[name] }, { id: 'main', options: this.options });
  }

  private captured(): void {
    this.session = { status: 'captured', isConfirming: false };
    this.collection = 'completed';
  }

  private get data(): Record<string, unknown> {
    return { session_id: SESSION, payment_request_id: 'request-1' };
  }
}

let api: ScriptedApi;
beforeEach(async () => {
  api = await ScriptedApi.start();
});
afterEach(() => api.stop());

async function run({ events }: OrderCase): Promise<void> {
  const medusa = new MedusaDouble(api.url);
  for (const [index, event] of events.entries()) {
    const { payment } = event;
    if (payment === 'unreachable') api.answers(fail(501, 'unavailable'));
    else if (payment) api.answers(succeed(paymentOf(payment, { reference_id: SESSION })));
    if (event.on === 'webhook') {
      const isAccepted = await medusa.webhook(event).then(
        () => true,
        () => false,
      );
      expect(isAccepted).toBe(event.answer === undefined);
      // The job ends sessions, because a webhook does not say whether another session has paid the cart.
      if (event.state === 'unpaid') await medusa.check();
    } else if (event.on === 'check') await medusa.check();
    else if (event.on === 'return') await medusa.complete();
    else if (event.change?.state === 'closed') medusa.collection = 'canceled_by_card';
    expect([index, medusa.state]).toEqual([index, event.state]);
  }
}

describe('The Medusa provider', () => {
  const cases = orderCases.filter(({ not_in }) => not_in?.['medusa'] === undefined);

  it.each(cases.map((one) => [one.name, one] as const))('passes the recorded case: %s', (_, one) => run(one));
});
