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

const ALLOWED = {
  vary: 'Origin',
  'access-control-allow-origin': CHECKOUT,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers':
    'etag, payment-required, payment-response, ratelimit, ratelimit-policy, retry-after, x-request-id',
};

describe('The allowed origin', () => {
  it.each([
    ['/public/things/raw', 200],
    ['/public/nowhere', 404],
    ['/public/things/raw?a=1&a=2', 400],
    ['/public/%', 400],
    ['/public/failure', 500],
  ])('may read every answer of the open paths, failures too: %s', async (path, status) => {
    expect(await ask({ origin: CHECKOUT }, path)).toEqual({ status, headers: ALLOWED });
  });

  it('learns in a preflight what it may send', async () => {
    expect(await preflight(CHECKOUT)).toEqual({
      status: 204,
      headers: {
        ...ALLOWED,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT',
        'access-control-allow-headers':
          'access-control-expose-headers, content-type, if-none-match, payment-signature, x-request-id',
        'access-control-max-age': '600',
      },
    });
  });
});

describe('Elsewhere', () => {
  it.each([
    ['/v1/things/raw', 405],
    ['/v1/things', 405],
    ['/nowhere', 404],
    ['/publicity', 404],
  ])('the allowed origin is one of many: %s', async (path, status) => {
    const headers = { origin: CHECKOUT, 'access-control-request-method': 'GET' };

    expect((await ask(headers, path)).headers).toEqual({});
    expect(await ask(headers, path, 'OPTIONS')).toEqual({ status, headers: {} });
  });
});

const READERS = {
  vary: 'Origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'etag, payment-required, payment-response, ratelimit, ratelimit-policy, retry-after, x-request-id',
};

describe('Any other origin', () => {
  it.each([
    'https://evil.example',
    'null',
    '*',
    'http://checkout.example',
    `${CHECKOUT}.evil.example`,
    `${CHECKOUT}:444`,
    `${CHECKOUT}/`,
    'https://CHECKOUT.example',
  ])('may read without cookies, and send nothing: %s', async (origin) => {
    expect(await ask({ origin })).toEqual({ status: 200, headers: READERS });
    expect((await ask({ origin }, '/public/things/raw', 'POST')).headers).toEqual({ vary: 'Origin' });
    expect(await preflight(origin)).toEqual({ status: 404, headers: { vary: 'Origin' } });
  });

  it('learns in a preflight that it may read', async () => {
    const headers = { origin: 'https://wallet.example', 'access-control-request-method': 'GET' };

    expect(await ask(headers, '/public/things', 'OPTIONS')).toEqual({
      status: 204,
      headers: {
        ...READERS,
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers':
          'access-control-expose-headers, content-type, if-none-match, payment-signature, x-request-id',
        'access-control-max-age': '600',
      },
    });
  });

  it('and no origin at all make the answer depend on it too', async () => {
    expect(await ask({})).toEqual({ status: 200, headers: READERS });
  });
});

describe('Where no origin is allowed cookies', () => {
  it('all may read, whoever they are, so that the answer does not depend on it', async () => {
    const closed = await startExampleApi({ openPaths: ['/public/'] });

    const answer = await fetch(`${closed.url}/public/things/raw`, { headers: { origin: 'undefined' } });
    await closed.close();

    const named = [...answer.headers].filter(([name]) => /^access-control-|^vary$/.test(name));
    expect(Object.fromEntries(named)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'etag, payment-required, payment-response, ratelimit, ratelimit-policy, retry-after, x-request-id',
    });
  });
});

describe('Where what is sent proves itself', () => {
  it('any page may post without cookies, to those very paths', async () => {
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
