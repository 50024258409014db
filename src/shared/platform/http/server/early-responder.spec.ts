import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EarlyResponder, installEarlyResponder, sendEarlyAnswer } from './early-responder.js';
import { startExampleApi, type ExampleApi } from '../testing/example-api.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Answers one path early if the request has the current entity tag. */
class Known extends EarlyResponder {
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url !== '/v1/things/known' || request.headers['if-none-match'] !== '"1"') return false;
    sendEarlyAnswer(request, response, 304, ['ETag', '"1"']);
    return true;
  }
}

let api: ExampleApi;
beforeAll(async () => {
  api = await startExampleApi();
  installEarlyResponder(api.app.getHttpServer(), new Known());
});
afterAll(() => api.close());

const unchanged = (path = '/v1/things/known', headers: Record<string, string> = {}) =>
  fetch(api.url + path, { headers: { 'if-none-match': '"1"', ...headers } });

describe('A request that is answered early', () => {
  it('does not reach the application', async () => {
    const before = api.logLines.length;

    const answer = await unchanged();
    await fetch(`${api.url}/v1/things`);

    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, '"1"', '']);
    expect(api.logLines.slice(before).map((line) => line.route)).toEqual(['/v1/things']);
  });

  it('has the headers of every answer of the API', async () => {
    const late = await fetch(`${api.url}/v1/things/raw`);
    const early = await unchanged();

    const own = ['content-type', 'content-length', 'x-request-id', 'date'];
    for (const [name, value] of late.headers) {
      if (!own.includes(name)) expect([name, early.headers.get(name)]).toEqual([name, value]);
    }
  });

  it('keeps a valid request id and replaces an invalid one', async () => {
    const kept = await unchanged(undefined, { 'x-request-id': 'mine' });
    const fresh = await unchanged(undefined, { 'x-request-id': 'not mine' });

    expect(kept.headers.get('x-request-id')).toBe('mine');
    expect(fresh.headers.get('x-request-id')).toMatch(UUID_V7);
  });

  it('is recognized by a request target in absolute form', async () => {
    const answer = await api.raw(
      'GET http://elsewhere.example/v1/things/known#top HTTP/1.1\r\nHost: x\r\nIf-None-Match: "1"\r\n\r\n',
    );

    expect(answer).toMatch(/^HTTP\/1\.1 304 /);
  });

  it('keeps its place among other requests on one connection', async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nIf-None-Match: "1"\r\n\r\n`;

    const answers = await api.raw(get('/v1/things/raw') + get('/v1/things/known') + get('/v1/things/raw'));

    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 304', 'HTTP/1.1 200']);
  });

  it('closes its connection while the server drains', async () => {
    const closing = await startExampleApi();
    const early = new (class extends EarlyResponder {
      answer(request: IncomingMessage, response: ServerResponse): boolean {
        void closed.then(() => sendEarlyAnswer(request, response, 304));
        return true;
      }
    })();
    let drain!: () => void;
    const closed = new Promise<void>((resolve) => (drain = resolve));
    installEarlyResponder(closing.app.getHttpServer(), early);
    const asked = closing.raw('GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'closed');
    await once(closing.app.getHttpServer(), 'request');

    const done = closing.close();
    while (closing.app.getHttpServer().listening) await new Promise((resolve) => setTimeout(resolve, 5));
    drain();

    expect(await asked).toMatch(/^HTTP\/1\.1 304 [^]*\r\nConnection: close\r\n/);
    await done;
  });
});

describe('A request that is not answered early', () => {
  it('reaches the application', async () => {
    const changed = await fetch(`${api.url}/v1/things/known`, { headers: { 'if-none-match': '"0"' } });
    const other = await unchanged('/v1/things/raw');

    expect([changed.status, other.status]).toEqual([404, 200]);
  });
});
