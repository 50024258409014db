import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AccessToken } from '../src/access-token.js';
import { aToken, fail, jwt, ScriptedApi, succeed } from './support/scripted-api.js';

let api: ScriptedApi;
beforeEach(async () => {
  api = await ScriptedApi.start();
});
afterEach(() => api.stop());

const tokensSent = () => api.requests.map(({ headers }) => headers.authorization);

describe('The access token', () => {
  it('is exchanged once for many calls, also for those at the same time', async () => {
    const client = api.client();

    await Promise.all([1, 2, 3].map(() => client.get('/v1/account')));
    await client.get('/v1/account');

    expect(api.exchanges.map(({ body }) => JSON.parse(body))).toEqual([
      { api_key: 'svc.dev.1', api_secret: 'the secret' },
    ]);
    expect(tokensSent()).toEqual(Array(4).fill('Bearer token 1'));
    expect(api.requests.map(({ headers }) => headers['x-service-api-key'])).toEqual(
      Array(4).fill('svc.dev.1'),
    );
  });

  it.each([
    ['an hour', 3_600, 3_539, 3_541],
    ['a minute', 60, 53, 55],
  ])('that lives %s is renewed shortly before its end, and not before', async (_, life, before, after) => {
    jest.useFakeTimers();
    let exchanges = 0;
    const token = new AccessToken(() => Promise.resolve(aToken(jwt((exchanges += 1), life)) as never));
    try {
      expect(await token.current()).toBe(jwt(1, life));
      jest.advanceTimersByTime(before * 1_000);
      expect(await token.current()).toBe(jwt(1, life));
      jest.advanceTimersByTime((after - before) * 1_000);
      expect(await token.current()).toBe(jwt(2, life));
    } finally {
      jest.useRealTimers();
    }
  });

  it('is kept for its life where the clocks of service and caller differ', async () => {
    api.exchange = (...given) => succeed(aToken(jwt(1, 3_600), -7_200))(...given);
    const client = api.client();

    for (let i = 0; i < 3; i += 1) await client.get('/v1/account');

    expect(api.exchanges).toHaveLength(1);
  });

  it('is renewed once where it is refused, and the call sent again, even one that cannot be repeated', async () => {
    api.answers(fail(401, 'token_expired'), succeed({ claims: {} }));
    const client = api.client();

    await client.post('/v1/naspip/read', { body: { token: 'naspip;…' } });

    expect(tokensSent()).toEqual(['Bearer token 1', 'Bearer token 2']);
    expect(api.requests.map(({ body }) => body)).toEqual(Array(2).fill('{"token":"naspip;…"}'));
  });

  it('is renewed once for all calls that were refused at the same time', async () => {
    const client = api.client();
    api.answers((response, { headers }) =>
      headers.authorization === 'Bearer token 1'
        ? fail(401, 'token_invalid')(response, api.requests[0]!)
        : succeed({})(response, api.requests[0]!),
    );

    await Promise.all([1, 2, 3, 4].map(() => client.get('/v1/account')));

    expect(api.exchanges).toHaveLength(2);
  });

  it('is not renewed again where the new one is refused too', async () => {
    api.answers(fail(401, 'token_invalid'));

    await expect(api.client().get('/v1/account')).rejects.toMatchObject({
      status: 401,
      code: 'token_invalid',
    });

    expect([api.exchanges.length, api.requests.length]).toEqual([2, 2]);
  });

  it('cannot be had with a wrong secret: the call says so and is not sent', async () => {
    api.exchange = fail(401, 'credentials_invalid');

    await expect(api.client().get('/v1/account')).rejects.toMatchObject({
      ...{ name: 'PaymentCollectionError', status: 401, code: 'credentials_invalid' },
      nextStep: 'Check key id and secret, or ask the operator for a new credential.',
    });

    expect([api.exchanges.length, api.requests.length]).toEqual([1, 0]);
  });

  it('is asked for again after an exchange that failed', async () => {
    const client = api.client();
    const later = api.exchange;
    api.exchange = fail(403, 'ip_not_allowed');
    await expect(client.get('/v1/account')).rejects.toMatchObject({ code: 'ip_not_allowed' });
    api.exchange = later;

    await client.get('/v1/account');

    expect(tokensSent()).toEqual(['Bearer token 2']);
  });

  it('is exchanged again while the service is away', async () => {
    const later = api.exchange;
    api.exchange = (response, request) =>
      (api.exchanges.length < 3 ? fail(503, 'unavailable') : later)(response, request);

    await api.client().get('/v1/account');

    expect(tokensSent()).toEqual(['Bearer token 3']);
  });

  it('is not sent to public operations', async () => {
    await api.client().get('/.well-known/naspip-keys');

    expect(api.exchanges).toEqual([]);
    expect(api.requests[0]!.headers).not.toHaveProperty('authorization');
    expect(api.requests[0]!.headers).not.toHaveProperty('x-service-api-key');
  });

  it('does not follow a redirect, which would carry the secret to another place', async () => {
    api.exchange = (response) => response.writeHead(307, { location: `${api.url}/elsewhere` }).end();

    await expect(api.client().get('/v1/account')).rejects.toMatchObject({
      ...{ status: 307, code: 'unexpected_answer' },
      message: 'HTTP 307 came without an error of this API.',
    });

    expect(api.requests).toEqual([]);
  });
});
