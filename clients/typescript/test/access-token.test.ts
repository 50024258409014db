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
  it('is requested once for many calls, including concurrent ones', async () => {
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
  ])('is renewed shortly before its end if it is valid for %s', async (_, life, before, after) => {
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

  it('is renewed once for all concurrently rejected calls', async () => {
    const client = api.client();
    api.answers((response, { headers }) =>
      headers.authorization === 'Bearer token 1'
        ? fail(401, 'token_invalid')(response, api.requests[0]!)
        : succeed({})(response, api.requests[0]!),
    );

    await Promise.all([1, 2, 3, 4].map(() => client.get('/v1/account')));

    expect(api.exchanges).toHaveLength(2);
  });
});
