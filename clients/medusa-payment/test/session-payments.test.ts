import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { USER_AGENT_PRODUCT } from '../src/options.js';
import { fail, ScriptedApi, succeed } from '../../typescript/test/support/scripted-api.js';
import { claimUrlOf } from '../src/claims.js';
import { SessionPayments } from '../src/session-payments.js';
import { aPayment, POINT_OF_SALE_ID, PAYMENT_REQUEST_ID, PAYMENT_SESSION_ID } from './support/a-payment.js';

const ALL = '13.520004';
const PAID = aPayment('completed', { received: ALL });
const DATA = {
  session_id: PAYMENT_SESSION_ID,
  payment_request_id: PAYMENT_REQUEST_ID,
  amount: '12.5',
  coin_code: 'EUR',
};
const REFUNDED = { received: ALL, refunds: [{ status: 'pending', amount: ALL }] };
const ASSETS = succeed({ data: [{ unique_asset_id: 'usdc', decimals: 6 }], page: 1, total_pages: 1 });
const refund = (more: object) =>
  succeed({ id: 'refund-1', status: 'pending', amount: ALL, currency: 'USDC', ...more });

let api: ScriptedApi;
beforeEach(async () => {
  api = await ScriptedApi.start();
});
afterEach(() => api.stop());

const payments = (more = {}) =>
  new SessionPayments({
    ...{ baseUrl: api.url, apiKey: 'svc.dev.1', apiSecret: 'the secret', pointOfSaleId: POINT_OF_SALE_ID },
    ...{ webhookSecret: 'whsec_', returnUrl: 'https://shop.example/thanks', ...more },
  });
const asked = () =>
  api.requests.map(
    ({ method, path }) =>
      `${method} ${path.replace(POINT_OF_SALE_ID, ':pos').replace(PAYMENT_REQUEST_ID, ':id')}`,
  );

describe('A payment session', () => {
  it('opens a checkout under its own id, and ignores data of a storefront', async () => {
    api.answers(succeed({ ...aPayment('pending'), hosted_checkout_url: 'https://pay.example/checkout/1' }));

    const data = {
      session_id: PAYMENT_SESSION_ID,
      payment_request_id: 'of another',
      refunds: [{}],
      payment_status: 'completed',
    };
    const {
      id,
      data: stored,
      status,
    } = await payments().initiate({ data, amount: 12.5, currency_code: 'eur' });

    const [request] = api.requests;
    expect(request!.headers['idempotency-key']).toBe(PAYMENT_SESSION_ID);
    expect(request!.headers['user-agent']).toContain(`${USER_AGENT_PRODUCT} payment-collection-client/`);
    expect(JSON.parse(request!.body)).toEqual({
      ...{ amount: '12.5', coin_code: 'EUR', reference_id: PAYMENT_SESSION_ID },
      return_url: 'https://shop.example/thanks',
    });
    expect([id, status]).toEqual([PAYMENT_REQUEST_ID, 'pending']);
    // A storefront reads the data, so only these fields of the service's answer are stored.
    expect(Object.keys(stored)).toEqual([
      ...['session_id', 'payment_request_id', 'amount', 'coin_code', 'payment_status'],
      ...['hosted_checkout_url', 'expires_at', 'received_amount', 'currency', 'refunds'],
    ]);
    expect(stored).toMatchObject({
      payment_request_id: PAYMENT_REQUEST_ID,
      refunds: [],
      payment_status: 'pending',
    });
  });

  it('is rejected if it names the payment of another session', async () => {
    api.answers(succeed(PAID));

    const context = { idempotency_key: 'payses_02' };

    await expect(payments().authorize({ data: DATA, context })).rejects.toThrow(
      /does not belong to session payses_02/,
    );
  });

  it('finds a payment request by its own id if the creation was not answered', async () => {
    api.answers(succeed({ data: [{ id: PAYMENT_REQUEST_ID }], page: 1, total_pages: 1 }), succeed(PAID));

    const context = { idempotency_key: PAYMENT_SESSION_ID };
    const { status } = await payments().authorize({ data: { session_id: 'payses_09' }, context });

    expect(status).toBe('captured');
    expect(asked()[0]).toContain(`reference_id=${PAYMENT_SESSION_ID}`);
  });

  it('keeps its checkout for the same price, and opens another one for a new price', async () => {
    expect(await payments().update({ data: DATA, amount: '12.500', currency_code: 'eur' })).toEqual({
      data: DATA,
    });
    expect(asked()).toEqual([]);
    api.answers(succeed(aPayment('created')), succeed({}), succeed(aPayment('pending', { amount: '13' })));

    const { data } = await payments().update({ data: DATA, amount: 13, currency_code: 'eur' });

    expect(data.amount).toBe('13');
    expect(asked()).toEqual([
      'GET /v1/pos/:pos/payment-request/:id',
      'POST /v1/pos/:pos/payment-request/:id/expire',
      'POST /v1/pos/:pos/payment-request-checkout',
    ]);
    expect(api.requests[2]!.headers['idempotency-key']).toBe(`${PAYMENT_REQUEST_ID}-13-EUR`);
  });

  it('opens a new checkout for each price change', async () => {
    const keys = [];
    let data: Record<string, unknown> = DATA;
    for (const [index, amount] of [13, 12.5, 13].entries()) {
      const opened = aPayment('pending', { id: `request-${index}`, amount: String(amount) });
      api.answers(succeed(aPayment('expired', { id: data['payment_request_id'] })), succeed(opened));
      ({ data } = await payments().update({ data, amount, currency_code: 'eur' }));
      keys.push(api.requests.at(-1)!.headers['idempotency-key']);
    }

    expect(new Set(keys).size).toBe(3);
  });
});

describe('A payment session that is deleted', () => {
  it.each([
    ['is of a former point of sale', DATA, [fail(404, 'not_found')], ['GET']],
    ['has ended', DATA, [succeed(aPayment('underpaid', { received: '5' }))], ['GET']],
    ['was refunded', DATA, [succeed(aPayment('completed', REFUNDED))], ['GET']],
    ['is open', DATA, [succeed(aPayment('pending')), succeed({})], ['GET', 'POST']],
    [
      'ends meanwhile',
      DATA,
      [succeed(aPayment('created')), fail(409, 'state_conflict'), succeed(aPayment('expired'))],
      ['GET', 'POST', 'GET'],
    ],
  ])('ends its payment request if it %s', async (_, data, answers, methods) => {
    api.answers(...answers, succeed({}));

    expect(await payments().close({ data })).toEqual({ data });

    expect(api.requests.map(({ method }) => method)).toEqual(methods);
  });

  it.each([
    ['is paid', [succeed(PAID)], /is paid and cannot be cancelled/],
    ['is about to be', [succeed(aPayment('processing', { received: '5' }))], /was seen and is not final yet/],
    [
      'is paid after the read',
      [succeed(aPayment('created')), fail(409, 'state_conflict'), succeed(PAID)],
      /is paid/,
    ],
    [
      'has a payment of another session',
      [succeed(aPayment('created', { reference_id: 'payses_02' }))],
      /does not belong to/,
    ],
  ])('is rejected if its payment request %s', async (_, answers, words) => {
    api.answers(...answers);

    await expect(payments().close({ data: DATA })).rejects.toThrow(words);
  });
});

describe('A payment', () => {
  it('is not captured before it is paid', async () => {
    api.answers(succeed(aPayment('processing', { received: ALL })));

    await expect(payments().capture({ data: DATA })).rejects.toThrow(
      /is not paid\. Its status is processing/,
    );
  });

  it('is refunded with the id of the refund in Medusa, by a claim, in addition to earlier refunds', async () => {
    api.answers(
      succeed(PAID),
      ASSETS,
      refund({ amount: '5.408001', claim_url: 'https://pay.example/refund/1' }),
    );

    const data = { ...DATA, refunds: [{ id: 'refund-0', claim_url: 'https://pay.example/refund/0' }] };
    const { data: after } = await payments().refund({
      data,
      amount: 5,
      context: { idempotency_key: 'ref_1' },
    });

    const request = api.requests[2]!;
    expect(request.headers['idempotency-key']).toBe('ref_1');
    expect(JSON.parse(request.body)).toEqual({
      claim: {},
      amount: '5.408001',
      reason: 'Medusa refund ref_1',
    });
    expect(after.refunds).toMatchObject([{ id: 'refund-0' }, { id: 'refund-1', refund_id: 'ref_1' }]);
    // The store API shows the data of a payment to anyone with the order's id.
    expect(JSON.stringify(after)).not.toContain('pay.example/refund');
    const urls = after.refunds.map((each) => claimUrlOf(each, { apiSecret: 'the secret' }));
    expect(urls).toEqual(['https://pay.example/refund/0', 'https://pay.example/refund/1']);
    expect(() => claimUrlOf(after.refunds[1]!, { apiSecret: 'another' })).toThrow();
    expect(() => claimUrlOf({ ...after.refunds[1]!, id: 'refund-0' }, { apiSecret: 'the secret' })).toThrow();
  });

  it('is refunded fully if Medusa has more digits than the requested price', async () => {
    api.answers(succeed(PAID), ASSETS, refund({ claim_url: 'https://pay.example/refund/1' }));

    const input = { data: DATA, amount: '12.5041', context: { idempotency_key: 'ref_1' } };
    await payments().refund(input);

    expect(JSON.parse(api.requests[2]!.body)).toMatchObject({ amount: ALL });
  });

  it('is refunded again if the claim URL was lost', async () => {
    const second = refund({ id: 'refund-2', claim_url: 'https://pay.example/refund/2' });
    api.answers(succeed(PAID), ASSETS, refund({}), succeed({}), second);

    const input = { data: DATA, amount: 12.5, context: { idempotency_key: 'ref_1' } };
    const { data } = await payments().refund(input);

    expect(asked().slice(2)).toEqual([
      'POST /v1/refunds/payment-request/:id',
      'POST /v1/refunds/refund-1/cancel',
      'POST /v1/refunds/payment-request/:id',
    ]);
    expect(api.requests[4]!.headers['idempotency-key']).toBe('ref_1-2');
    expect(data.refunds).toMatchObject([{ id: 'refund-2', claim: expect.any(String) }]);
  });

  it('is refunded once if it is canceled before its manual capture', async () => {
    api.answers(succeed(PAID), ASSETS, refund({ claim_url: 'https://pay.example/refund/1' }));
    const { data } = await payments({ capture: 'manual' }).cancel({ data: DATA });
    expect(data['refunds']).toMatchObject([{ refund_id: `cancel-${PAYMENT_REQUEST_ID}`, amount: ALL }]);

    api.requests.length = 0;
    api.answers(succeed(aPayment('completed', REFUNDED)));
    await payments({ capture: 'manual' }).cancel({ data: DATA });
    expect(api.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});
