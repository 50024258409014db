import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HTTP_STATUS_OF_ERROR_KIND } from '../errors/error-kinds.js';
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
  it('hides the software, forbids caching and framing, and may have no envelope', async () => {
    const { headers, body } = await get('/v1/things/raw');

    expect(body).toEqual({ issuer: {} });

    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    [false, 'max-age=31536000'],
    [true, 'max-age=31536000; includeSubDomains'],
  ])('sends HSTS with includeSubDomains only if configured: %s', async (hstsIncludesSubdomains, value) => {
    const strict = await startExampleApi({ hstsIncludesSubdomains });
    const page = await fetch(`${strict.url}/docs`);
    await strict.close();

    expect(page.headers.get('strict-transport-security')).toBe(value);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  });
});

describe('A failure', () => {
  it.each(Object.entries(HTTP_STATUS_OF_ERROR_KIND))(
    'has the status of its kind, and lists the invalid fields: %s, %i',
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
    'hides the details of an unexpected error: %s',
    async (name) => {
      const { status, body, headers } = await get(`/v1/failures/${name}`);

      expect(status).toBe(500);
      expect(body).toEqual({
        status: 'error',
        code: 'internal_error',
        message: expect.not.stringMatching(/SELECT|duplicate|upstream|oops/),
        request_id: headers.get('x-request-id'),
      });
      const line = api.logLines.find(
        (entry) => entry.request_id === body.request_id && entry.level === 'error',
      );
      if (name === 'unknown')
        expect(line?.err).toMatchObject({
          message: 'SELECT secret FROM internals',
          stack: expect.stringContaining('at '),
        });
    },
  );

  it.each([
    ['database-gone', 503, 'unavailable', '1', null],
    ['database-shutdown', 503, 'unavailable', '1', null],
    ['pool-timeout', 503, 'unavailable', '1', null],
    ['too-often', 429, 'rate_limited', '17', null],
    ['too-often-in-an-hour', 429, 'rate_limited', '1700', '"hourly";r=0;t=1700'],
  ])('says when to retry: %s', async (name, status, code, wait, limit) => {
    const answer = await get(`/v1/failures/${name}`);

    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(['retry-after', 'ratelimit'].map((field) => answer.headers.get(field))).toEqual([wait, limit]);
  });

  it('replaces the messages of the framework with messages of the service', async () => {
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
    ['OPTIONS', '/v1/failures/words/word', 'HEAD'],
  ])('is a 405 with the allowed methods if the method does not exist: %s %s', async (method, path, allow) => {
    const { status, headers, body } = await get(path, { method });

    expect([status, headers.get('allow'), body.code]).toEqual([405, allow, 'method_not_allowed']);
  });

  it('is a 404 without allowed methods for an unknown path, and a 500 for a missing principal', async () => {
    const { status, headers, body } = await get('/nowhere', { method: 'POST' });

    expect([status, headers.get('allow'), body.code]).toEqual([404, null, 'not_found']);
    expect((await get('/v1/things/principal')).status).toBe(500);
  });
});

describe('The request id', () => {
  it.each(['a', 'x'.repeat(128)])('keeps a valid id of the caller: %.20s', async (given) => {
    const { headers, body } = await get('/v1/things/request-id', { headers: { 'x-request-id': given } });

    expect(headers.get('x-request-id')).toBe(given);
    expect(body.data).toEqual({ request_id: given });
  });

  it.each(['', 'a b', 'x'.repeat(129), 'é', '<script>'])('replaces an invalid id: %.20s', async (given) => {
    const { headers } = await get('/v1/things', { headers: { 'x-request-id': given } });

    expect(headers.get('x-request-id')).toMatch(UUID_V7);
  });

  it('stays known after the body was read', async () => {
    const answer = await get('/v1/things', {
      method: 'POST',
      body: '{"name":"a","amount":"1"}',
      headers: { 'content-type': 'application/json', 'x-request-id': 'mine' },
    });

    expect(answer.body.data).toMatchObject({ request_id: 'mine' });
  });
});

describe('The access log', () => {
  it('contains the caller and the route, but no query, path or body', async () => {
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

describe('A server that shuts down', () => {
  it('completes started requests and closes their kept-alive connections', async () => {
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
