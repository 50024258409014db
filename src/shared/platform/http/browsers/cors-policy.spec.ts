import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExampleApi, startExampleApi } from '../testing/example-api.js';

const CHECKOUT = 'https://checkout.example';

let api: ExampleApi;
beforeAll(
  async () => void (api = await startExampleApi({ allowedOrigin: CHECKOUT, openPaths: ['/public/'] })),
);
afterAll(() => api.close());

async function ask(headers: Record<string, string>, path = '/public/things/raw', method = 'GET') {
  const answer = await fetch(api.url + path, { method, headers });
  const named = [...answer.headers].filter(([name]) => /^access-control-|^vary$/.test(name));
  return { status: answer.status, headers: Object.fromEntries(named) };
}
const preflight = (origin: string) =>
  ask({ origin, 'access-control-request-method': 'PUT' }, '/public/things', 'OPTIONS');

const EXPOSED =
  'etag, payment-required, payment-response, ratelimit, ratelimit-policy, retry-after, x-request-id';
const READERS = {
  ...{ vary: 'Origin', 'access-control-allow-origin': '*' },
  'access-control-expose-headers': EXPOSED,
};
const ALLOWED = {
  ...{ ...READERS, 'access-control-allow-origin': CHECKOUT },
  'access-control-allow-credentials': 'true',
};
const allowing = (methods: string) => ({
  'access-control-allow-methods': methods,
  'access-control-allow-headers':
    'access-control-expose-headers, content-type, if-none-match, payment-signature, x-request-id',
  'access-control-max-age': '600',
});

describe('The allowed origin', () => {
  it.each([
    ['/public/things/raw', 200],
    ['/public/things/raw?a=1&a=2', 400],
    ['/public/failure', 500],
  ])('reads every answer of the open paths, including failures: %s', async (path, status) => {
    expect(await ask({ origin: CHECKOUT }, path)).toEqual({ status, headers: ALLOWED });
  });

  it('receives the methods and headers that it may send in the answer to a preflight', async () => {
    expect(await preflight(CHECKOUT)).toEqual({
      status: 204,
      headers: { ...ALLOWED, ...allowing('GET, HEAD, POST, PUT') },
    });
  });
});

describe('A path that is not open', () => {
  it.each([
    ['/v1/things', 405],
    ['/publicity', 404],
  ])('gives no rights to the allowed origin: %s', async (path, status) => {
    const headers = { origin: CHECKOUT, 'access-control-request-method': 'GET' };

    expect((await ask(headers, path)).headers).toEqual({});
    expect(await ask(headers, path, 'OPTIONS')).toEqual({ status, headers: {} });
  });
});

describe('Another origin', () => {
  it.each(['https://evil.example', 'null', 'http://checkout.example', `${CHECKOUT}:444`])(
    'reads without cookies and sends nothing: %s',
    async (origin) => {
      expect(await ask({ origin })).toEqual({ status: 200, headers: READERS });
      expect((await ask({ origin }, '/public/things/raw', 'POST')).headers).toEqual({ vary: 'Origin' });
      expect(await preflight(origin)).toEqual({ status: 404, headers: { vary: 'Origin' } });
    },
  );

  it('receives only methods for reading in the answer to a preflight', async () => {
    const headers = { origin: 'https://wallet.example', 'access-control-request-method': 'GET' };

    const answer = await ask(headers, '/public/things', 'OPTIONS');
    expect(answer).toEqual({ status: 204, headers: { ...READERS, ...allowing('GET, HEAD') } });
    expect(await ask({})).toEqual({ status: 200, headers: READERS });
  });
});

describe('A service without an allowed origin', () => {
  it('sends answers that do not vary by origin', async () => {
    const closed = await startExampleApi({ openPaths: ['/public/'] });

    const answer = await fetch(`${closed.url}/public/things/raw`, { headers: { origin: 'undefined' } });
    await closed.close();

    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toBeNull();
  });
});

describe('A path whose requests carry their own proof', () => {
  it('accepts POST without cookies from any page, unlike other paths', async () => {
    const proven = await startExampleApi({
      ...{ allowedOrigin: CHECKOUT, openPaths: ['/public/'], ownOrigins: [CHECKOUT] },
      provenPaths: /^\/public\/things\/raw$/,
    });
    const headers = { origin: 'https://wallet.example', 'sec-fetch-site': 'cross-site' };
    const send = async (method: string, path: string, more: Record<string, string> = {}) => {
      const answer = await fetch(proven.url + path, { method, headers: { ...headers, ...more } });
      const named = ['allow-origin', 'allow-credentials', 'allow-methods'];
      return [answer.status, ...named.map((name) => answer.headers.get(`access-control-${name}`))];
    };
    const asked = { 'access-control-request-method': 'POST' };

    const answers = [
      await send('OPTIONS', '/public/things/raw', asked),
      await send('POST', '/public/things/raw'),
      await send('PUT', '/public/things/raw'),
      await send('POST', '/public/things/raw/'),
      await send('OPTIONS', '/public/things', asked),
    ];
    await proven.close();

    expect(answers).toEqual([
      [204, '*', null, 'GET, HEAD, POST'],
      [200, '*', null, null],
      [403, null, null, null],
      [403, null, null, null],
      [404, null, null, null],
    ]);
  });
});
