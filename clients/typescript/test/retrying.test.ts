import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PaymentCollectionError } from '../src/index.js';
import { breakOff, fail, hangUp, ScriptedApi, succeed } from './support/scripted-api.js';

let api: ScriptedApi;
beforeEach(async () => {
  api = await ScriptedApi.start();
});
afterEach(() => api.stop());

const POS = '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90';
const BODY = { amount: '12.50', unique_asset_id: 'n1_t2', reference_id: 'order-1042' };
const REQUEST = { id: 'a', token: 'naspip;…' };

const keys = () => api.requests.map(({ headers }) => headers['idempotency-key']);
const create = (options = {}, client = api.client()) =>
  client.pointOfSale(POS).createPaymentRequest(BODY, options);

describe('A creation', () => {
  it.each([
    ['no answer came', hangUp],
    ['its answer broke off', breakOff],
    ['a proxy had no answer of it', (response) => void response.writeHead(502).end('<html>')],
    ['the service was away', fail(503, 'unavailable')],
    ['a proxy waited too long', (response) => void response.writeHead(504).end()],
    ['it failed unexpectedly', fail(500, 'internal_error')],
    [
      'its first one is being answered',
      fail(409, 'idempotency_in_progress', { headers: { 'retry-after': '0' } }),
    ],
    ['it was one too many', fail(429, 'rate_limited', { headers: { 'retry-after': '0' } })],
  ] as [string, typeof hangUp][])('is sent again under the same key where %s', async (_, failure) => {
    api.answers(failure, failure, succeed(REQUEST));

    expect(await create()).toEqual(REQUEST);

    expect(api.requests.map(({ body }) => JSON.parse(body))).toEqual([BODY, BODY, BODY]);
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has the key that is given, and another one for each creation without', async () => {
    await create({ idempotencyKey: 'order-1042' });
    await create();
    await create();

    expect(keys()[0]).toBe('order-1042');
    expect(new Set(keys()).size).toBe(3);
  });

  it.each([
    [400, 'validation_failed'],
    [403, 'role_required'],
    [404, 'not_found'],
    [409, 'state_conflict'],
    [422, 'idempotency_key_reused'],
  ])('is not sent again where it is refused with %i %s', async (status, code) => {
    api.answers(fail(status, code));

    await expect(create()).rejects.toMatchObject({ status, code });

    expect(api.requests).toHaveLength(1);
  });

  it('is sent four times at most', async () => {
    api.answers(fail(503, 'unavailable'));

    await expect(create()).rejects.toMatchObject({ code: 'unavailable', status: 503 });

    expect(api.requests).toHaveLength(4);
  });

  it('is sent again after the wait that the answer names', async () => {
    api.answers(fail(429, 'rate_limited', { headers: { 'retry-after': '1' } }), succeed(REQUEST));
    const begun = performance.now();

    await create();

    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
  });

  it('is given up at once where the wait is longer than is waited', async () => {
    api.answers(fail(429, 'rate_limited', { headers: { 'retry-after': '31' } }));

    await expect(create()).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 31 });

    expect(api.requests).toHaveLength(1);
  });

  it('waits longer before each later attempt', async () => {
    const times: number[] = [];
    const failure = fail(503, 'unavailable');
    api.answers((...given) => {
      times.push(performance.now());
      failure(...given);
    });

    await expect(
      create({}, api.client({ retries: { firstDelay: 100, attempts: 4 } })),
    ).rejects.toBeInstanceOf(PaymentCollectionError);

    const waits = times.slice(1).map((time, i) => time - times[i]!);
    // Each of them is shortened by a half at most.
    for (const [i, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(50 * 2 ** i - 2);
  });

  it('ends when its signal says so, also while it waits', async () => {
    const stopping = new AbortController();
    const failure = fail(429, 'rate_limited', { headers: { 'retry-after': '20' } });
    api.answers((...given) => {
      failure(...given);
      setTimeout(() => stopping.abort(new Error('The shop closes.')), 10);
    });

    await expect(create({ signal: stopping.signal })).rejects.toThrow('The shop closes.');

    expect(api.requests).toHaveLength(1);
  });
});

describe('Any other call', () => {
  it.each(['get', 'put', 'patch', 'delete'] as const)('by %s is sent again', async (method) => {
    api.answers(hangUp, fail(503, 'unavailable'), succeed({}));
    const path = { accountID: POS, webhookID: POS };
    const client = api.client();

    if (method === 'get') await client.get('/v1/account');
    if (method === 'put')
      await client.put('/v1/account/{accountID}', {
        params: { path },
        body: { name: 'Shop', external_id: 'shop' },
      });
    if (method === 'patch')
      await client.patch('/v1/account/{accountID}/webhook/{webhookID}/activate', { params: { path } });
    if (method === 'delete')
      await client.delete('/v1/account/{accountID}/webhook/{webhookID}/delete', { params: { path } });

    expect(api.requests.map((request) => request.method.toLowerCase())).toEqual([method, method, method]);
    expect(keys()).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['no answer came', hangUp, 'unreachable'],
    ['the service was away', fail(503, 'unavailable'), 'unavailable'],
  ])('by POST that takes no key is sent once, where %s', async (_, failure, code) => {
    api.answers(failure);

    await expect(api.client().post('/v1/naspip/read', { body: { token: 'naspip;…' } })).rejects.toMatchObject(
      { code },
    );

    expect(api.requests).toHaveLength(1);
    expect(keys()).toEqual([undefined]);
  });

  it('is sent once where it failed unexpectedly, since nothing says that it would not again', async () => {
    api.answers(fail(500, 'internal_error'));

    await expect(api.client().get('/v1/account')).rejects.toMatchObject({ code: 'internal_error' });

    expect(api.requests).toHaveLength(1);
  });

  it('is given up after a while without an answer, and tried again', async () => {
    api.answers(() => undefined, succeed({ total: 0 }));

    expect(await api.client({ timeout: 50 }).get('/v1/account')).toEqual({ total: 0 });

    expect(api.requests).toHaveLength(2);
  });

  it('to nobody says who did not answer, how often and what to do', async () => {
    const client = api.client();
    const { url } = api;
    await api.stop();

    await expect(client.get('/v1/account')).rejects.toMatchObject({
      code: 'unreachable',
      status: undefined,
      message: expect.stringMatching(new RegExp(`^${url} did not answer, tried 4 times: .*ECONNREFUSED`)),
      nextStep: expect.stringContaining('Check that the service runs'),
    });
    api = await ScriptedApi.start();
  });
});
