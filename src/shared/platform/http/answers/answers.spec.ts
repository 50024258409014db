import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SwaggerModule } from '@nestjs/swagger';
import { STATUS_OF_KIND } from '../errors/error-kinds.js';
import { type ExampleApi, startExampleApi } from '../testing/example-api.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let api: ExampleApi;
beforeAll(async () => void (api = await startExampleApi()));
afterAll(() => api.close());

async function get(path: string, init?: RequestInit) {
  const answer = await fetch(api.url + path, init);
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as Record<string, unknown>,
  };
}

describe('A success', () => {
  it('goes as it is where a route asks for that', async () => {
    expect((await get('/v1/things/raw')).body).toEqual({ issuer: {} });
  });

  it('reveals nothing of what runs here, is not cached and not framed', async () => {
    const { headers } = await get('/v1/things');

    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    [false, 'max-age=31536000'],
    [true, 'max-age=31536000; includeSubDomains'],
  ])('binds subdomains to TLS if the operator says so: %s', async (hstsIncludesSubdomains, value) => {
    const strict = await startExampleApi({ hstsIncludesSubdomains });
    const answers = await Promise.all(['/v1/things', '/docs'].map((path) => fetch(strict.url + path)));
    await strict.close();

    expect(answers.map(({ headers }) => headers.get('strict-transport-security'))).toEqual([value, value]);
  });
});

describe('A failure', () => {
  it.each(Object.entries(STATUS_OF_KIND))(
    'of kind %s has status %i and lists its fields',
    async (kind, status) => {
      const answer = await get(`/v1/failures/kinds/${kind}`);

      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({
        status: 'error',
        code: 'some_code',
        message: 'Some words.',
        details: 'a: c',
        errors: [{ field: 'a', rule: 'b', message: 'c' }],
        request_id: answer.headers.get('x-request-id'),
      });
      expect(answer.headers.get('retry-after')).toBe(kind === 'unavailable' ? '1' : null);
      expect(answer.headers.get('www-authenticate')).toBe(kind === 'unauthenticated' ? 'Bearer' : null);
    },
  );

  it.each(['unknown', 'thrown-string', 'upstream-404', 'database-unique', 'none'])(
    'that nobody foresaw stays opaque: %s',
    async (name) => {
      const { status, body, headers } = await get(`/v1/failures/${name}`);

      expect(status).toBe(500);
      expect(body).toEqual({
        status: 'error',
        code: 'internal_error',
        message: expect.not.stringMatching(/SELECT|duplicate|upstream|oops/),
        request_id: headers.get('x-request-id'),
      });
    },
  );

  it('that nobody foresaw is logged with its stack and the request id', async () => {
    const { body } = await get('/v1/failures/unknown');

    const line = api.logLines.find(
      (entry) => entry.request_id === body.request_id && entry.level === 'error',
    );
    expect(line?.err).toMatchObject({
      message: 'SELECT secret FROM internals',
      stack: expect.stringContaining('at '),
    });
  });

  it.each(['database-gone', 'database-shutdown', 'pool-timeout'])(
    'of the database says to retry: %s',
    async (name) => {
      const { status, body, headers } = await get(`/v1/failures/${name}`);

      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    },
  );

  it('of a caller that asks too often says how long to wait', async () => {
    const { status, body, headers } = await get('/v1/failures/too-often');

    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '17']);
    expect(body.message).toBe('Too many requests. Try again in 17 seconds.');
    expect(headers.get('ratelimit')).toBeNull();
  });

  it('of a caller that has used a limit up names the limit', async () => {
    const { headers } = await get('/v1/failures/too-often-in-an-hour');

    const fields = ['retry-after', 'ratelimit-policy', 'ratelimit'].map((name) => headers.get(name));
    expect(fields).toEqual(['1700', '"hourly";q=5;w=3600', '"hourly";r=0;t=1700']);
  });

  it('of a framework speaks our words', async () => {
    const forbidden = await get('/v1/failures/forbidden');
    const missing = await get('/nowhere');

    expect([forbidden.status, forbidden.body.code]).toEqual([403, 'role_required']);
    expect(JSON.stringify(forbidden.body)).not.toContain('internal words');
    expect([missing.status, missing.body.code]).toEqual([404, 'not_found']);
    expect(JSON.stringify(missing.body)).not.toContain('Cannot GET');
  });

  it.each([
    ['PUT', '/v1/things/raw', 'GET, HEAD'],
    ['DELETE', '/v1/things/', 'GET, HEAD, POST, PUT'],
    ['GET', '/page/form', 'POST'],
    ['OPTIONS', '/v1/failures/words/word', 'HEAD'],
  ])('of %s on %s, which has no such method, names those that the path has', async (method, path, allow) => {
    const { status, headers, body } = await get(path, { method });

    expect([status, headers.get('allow')]).toEqual([405, allow]);
    expect(body).toMatchObject({ status: 'error', code: 'method_not_allowed' });
  });

  it('of an unknown path is the same for every method, without a list of methods', async () => {
    const { status, headers, body } = await get('/nowhere', { method: 'POST' });

    expect([status, headers.get('allow'), body.code]).toEqual([404, null, 'not_found']);
  });

  it('of our own stays opaque: a principal asked for where none was proven', async () => {
    expect((await get('/v1/things/principal')).status).toBe(500);
  });
});

describe('The request id', () => {
  it.each(['a', 'A-b_c.9', 'x'.repeat(128)])('is kept from the caller when valid: %.20s', async (given) => {
    const { headers, body } = await get('/v1/things/request-id', { headers: { 'x-request-id': given } });

    expect(headers.get('x-request-id')).toBe(given);
    expect(body.data).toEqual({ request_id: given });
  });

  it.each(['', ' ', 'a b', 'x'.repeat(129), 'a,b', 'é', '<script>'])(
    'is fresh when the given is not valid: %.20s',
    async (given) => {
      const { headers } = await get('/v1/things', { headers: { 'x-request-id': given } });

      expect(headers.get('x-request-id')).toMatch(UUID_V7);
    },
  );

  it.each([
    ['malformed JSON', '/v1/things', '{'],
    ['a malformed path', '/%E0%A4%A', undefined],
    ['an unknown route', '/nowhere', undefined],
  ])('is on every failure: %s', async (_, path, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await get(path, { method: body === undefined ? 'GET' : 'POST', body, headers });

    expect(answer.headers.get('x-request-id')).toMatch(UUID_V7);
    expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  });

  it('is still known after a body was read', async () => {
    const answer = await get('/v1/things', {
      method: 'POST',
      body: '{"name":"a","amount":"1"}',
      headers: { 'content-type': 'application/json', 'x-request-id': 'mine' },
    });

    expect(answer.body.data).toMatchObject({ request_id: 'mine' });
  });
});

describe('The access log', () => {
  it('names the caller and the route, never the query, the path or the body', async () => {
    const proxied = { 'x-request-id': 'logged', 'x-forwarded-for': '198.51.100.9, 203.0.113.7' };
    await get('/v1/things?reference_id=visible', { headers: proxied });
    await get('/v1/things/not-a-uuid', { headers: { 'x-request-id': 'logged-2' } });

    const lines = api.logLines.filter((line) => /^logged/.test(String(line.request_id)));
    expect(lines).toMatchObject([
      {
        event: 'http.request',
        msg: 'A request was served.',
        method: 'GET',
        route: '/v1/things',
        status: 200,
        ms: expect.any(Number),
        key_id: null,
        address: '203.0.113.7',
      },
      { event: 'http.request', route: '/v1/things/:thingID', status: 404, address: '127.0.0.1' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/visible|not-a-uuid/);
  });
});

describe('The reference page', () => {
  it('may load its own scripts', async () => {
    const documented = await startExampleApi({});
    SwaggerModule.setup('docs', documented.app, () => ({
      openapi: '3.0.0',
      info: { title: 'x', version: '1' },
      paths: {},
    }));

    const page = await fetch(`${documented.url}/docs`);
    await documented.close();

    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  });
});

describe('A server that shuts down', () => {
  it('answers what it has begun and closes that kept connection', async () => {
    const closing = await startExampleApi({ timeouts: { keepAlive: 20_000 } });
    const body = '{"name":"a","amount":"1"}';
    const head = `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(closing.port, '127.0.0.1');
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString())).on('close', () => resolve(text));
    });
    const server = closing.app.getHttpServer();
    socket.write(head);
    await once(server, 'request');

    const closed = closing.close();
    while (server.listening) await new Promise((resolve) => setImmediate(resolve));
    socket.write(body);

    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/i);
    await closed;
  });
});
