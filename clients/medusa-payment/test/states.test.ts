import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { orderStateOf, sessionStatusOf } from '../src/session-status.js';
import { webhookAction } from '../src/webhooks.js';
import { aPayment, POINT_OF_SALE_ID, PAYMENT_REQUEST_ID, PAYMENT_SESSION_ID } from './support/a-payment.js';

const SECRET = `whsec_${'Ab1'.repeat(14)}Zz`;
const DAY = 24 * 3_600;

const ALL = '13.520004';
const REFUNDED = { received: ALL, refunds: [{ status: 'pending', amount: ALL }] };

describe('A payment session', () => {
  it.each([
    ['pending', {}, 'requires_more', 'requires_more'],
    ['created', {}, 'requires_more', 'requires_more'],
    ['processing', { received: ALL }, 'pending', 'pending'],
    ['completed', { received: ALL }, 'captured', 'captured'],
    ['overpaid', { received: '20' }, 'captured', 'captured'],
    ['completed', REFUNDED, 'canceled', 'not_supported'],
    ['underpaid', { received: '13' }, 'error', 'failed'],
    ['underpaid', { received: '13.5', fulfilled: true }, 'captured', 'captured'],
    ['failed', {}, 'error', 'failed'],
    ['expired', {}, 'canceled', 'not_supported'],
    ['an unknown status', {}, 'pending', 'pending'],
  ])(
    'has a status that follows from its payment: %s %j gives %s, and %s in a webhook',
    async (status, more, session, action) => {
      const payment = aPayment(status, more);

      expect(sessionStatusOf(payment, 'captured')).toBe(session);
      expect((await acted({}, payment)).action).toBe(action);
    },
  );

  it.each([
    [undefined, 'waiting'],
    ['awaiting', 'waiting'],
    ['authorized', 'closed'],
    ['completed', 'closed'],
    ['an unknown status', 'closed'],
  ])('belongs to an order that is closed unless its cart is not paid: %s, %s', (collection, state) => {
    expect(orderStateOf(collection)).toBe(state);
  });

  it('is only authorized if captures are manual', () => {
    expect(sessionStatusOf(aPayment('completed', { received: ALL }), 'authorized')).toBe('authorized');
  });
});

interface Delivered {
  notice?: object;
  secret?: string;
  age?: number;
  change?: (body: string) => string;
}

function acted(
  { notice, secret = SECRET, age = 0, change = (body) => body }: Delivered,
  payment = aPayment('created'),
) {
  const data = {
    ...{
      payment_request_id: PAYMENT_REQUEST_ID,
      external_reference_id: PAYMENT_SESSION_ID,
      point_of_sale_id: POINT_OF_SALE_ID,
      status: 'completed',
    },
    ...{ notification_type: 'payment_request_status_update', payment_request_type: 'fixed', account_id: 'a' },
    ...notice,
  };
  const body = JSON.stringify({ data });
  const at = String(Math.floor(Date.now() / 1_000) - age);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`event-1.${at}.${body}`).digest('base64');
  const headers = {
    'webhook-id': 'event-1',
    'webhook-timestamp': at,
    'webhook-signature': `v1,${signature}`,
  };
  const reads: string[] = [];
  const read = (id: string) => Promise.resolve(payment).finally(() => reads.push(id));
  return webhookAction(
    { rawData: Buffer.from(change(body)), headers },
    { secret: SECRET, pointOfSaleId: POINT_OF_SALE_ID, paid: 'captured', read },
  );
}

describe('A webhook', () => {
  it('is not trusted, and the provider reads the payment from the service', async () => {
    expect(await acted({ age: 6 * DAY })).toMatchObject({ action: 'requires_more' });
  });

  it.each([
    ['another secret', { secret: `whsec_${'Zz9'.repeat(14)}Ab` }, /No signature/],
    ['a replay after a week', { age: 8 * DAY }, /limit is 604800 s/],
  ])('is rejected with %s', async (_, delivered, words) => {
    await expect(acted(delivered)).rejects.toThrow(words);
  });

  it.each([
    ['a refund', { notification_type: 'refund_status_update' }],
    ['another point of sale', { point_of_sale_id: 'another' }],
    ['no order', { external_reference_id: undefined }],
  ])('is ignored if it is about %s', async (_, notice) => {
    expect(await acted({ notice })).toEqual({ action: 'not_supported' });
  });

  it('names the session of the payment that was read', async () => {
    const payment = aPayment('completed', { received: ALL, reference_id: 'payses_02' });

    expect(await acted({}, payment)).toMatchObject({ data: { session_id: 'payses_02' } });
    for (const reference_id of [undefined, 'order-1'])
      expect(await acted({}, aPayment('completed', { reference_id, received: ALL }))).toEqual({
        action: 'not_supported',
      });
  });
});
