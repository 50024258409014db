import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import { ErrorPageSender, type HttpFailure } from '../errors/error-kinds.js';
import { startExampleApi, type ExampleApi } from '../testing/example-api.js';

const [API, CHECKOUT] = ['https://api.example', 'https://pay.example'];

class ShownFailures extends ErrorPageSender {
  send(
    { status, code, requestId }: HttpFailure & { requestId: string },
    _: unknown,
    __: object,
    response: Response,
  ) {
    response.status(status).type('html').send(`<p>${code} ${requestId}`);
  }
}

let api: ExampleApi;
beforeAll(async () => {
  api = await startExampleApi({
    formPaths: ['/page/'],
    openPaths: ['/public/'],
    ownOrigins: [API, CHECKOUT],
    errorPageSender: [{ paths: ['/page/'], failures: new ShownFailures() }],
  });
});
afterAll(() => api.close());

async function post(headers: Record<string, string>, path = '/public/things/raw', method = 'POST') {
  const lines = Object.entries({ Host: 'x', Connection: 'close', ...headers }).map((pair) => pair.join(': '));
  const answer = await api.raw(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return { status: Number(answer.slice(9, 12)), text: answer };
}

describe('A request from a page of another site', () => {
  it.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ Origin: 'https://evil.example' }],
    [{ Origin: `${CHECKOUT}.evil.example` }],
    [{ Origin: 'http://pay.example' }],
  ])('is rejected by its headers: %j', async (headers) => {
    for (const path of ['/public/things/raw', '/public/nowhere']) {
      const { status, text } = await post(headers, path);

      expect([path, status]).toEqual([path, 403]);
      expect(text).toContain('"code":"cross_site_refused"');
    }
    expect((await post(headers, '/public/things/raw', 'PUT')).status).toBe(403);
  });

  it('is rejected before its body is read', async () => {
    const headers = {
      'Sec-Fetch-Site': 'cross-site',
      'Content-Type': 'text/plain',
      'Content-Length': '4\r\n\r\nbody',
    };

    expect((await post(headers)).status).toBe(403);
  });

  it('is accepted if it reads, or sends to a path where only credentials grant access', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };

    expect((await post(headers, '/public/things/raw', 'GET')).status).toBe(200);
    expect((await post(headers, '/v1/things/empty')).status).toBe(200);
  });
});

describe('A request from a page of this service or from no page', () => {
  it.each([
    [{}],
    [{ 'Sec-Fetch-Site': 'same-site', Origin: CHECKOUT }],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: CHECKOUT }],
    [{ Origin: API }],
    [{ Origin: 'null' }],
  ])('is accepted by its headers: %j', async (headers) => {
    expect((await post(headers)).status).toBe(200);
  });
});

describe('A failure on a path of pages', () => {
  it.each([
    ['a cross-site form', 'POST', '/page/1', { Origin: 'https://evil.example' }, 403, 'cross_site_refused'],
    ['a broken query', 'GET', '/page/1?a=%', {}, 400, 'validation_failed'],
    ['a broken path', 'GET', '/page/%', {}, 400, 'validation_failed'],
    [
      'another type',
      'POST',
      '/page/form',
      { 'Content-Type': 'text/xml', 'Content-Length': '1\r\n\r\nx' },
      415,
      'unsupported_media_type',
    ],
  ] as const)(
    'is shown as a page with its code and request id: %s',
    async (_, method, path, headers, status, code) => {
      const answer = await post({ 'X-Request-Id': 'mine', ...headers }, path, method);

      expect(answer.status).toBe(status);
      expect(answer.text).toContain('Content-Type: text/html');
      expect(answer.text).toContain('Cache-Control: no-store');
      expect(answer.text).toContain(`<p>${code} mine`);
    },
  );

  it('is answered in JSON on other paths', async () => {
    expect((await post({}, '/pages', 'GET')).text).toContain('"code":"not_found"');
  });
});
