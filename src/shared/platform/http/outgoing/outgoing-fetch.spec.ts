import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outgoingFetch } from './outgoing-fetch.js';

const TEXT = JSON.stringify({ name: 'Käthe' });

let server: Server;
let url: string;
let asked: IncomingHttpHeaders;
let answer: { readonly body: string | Buffer; readonly headers: Record<string, string>; status?: number };

beforeAll(async () => {
  server = createServer(({ headers }, response) => {
    asked = headers;
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

describe('An outgoing request', () => {
  it('names the service and accepts only gzip', async () => {
    answer = { body: TEXT, headers: {} };
    await outgoingFetch(url, { headers: { accept: 'application/json', 'Accept-Encoding': 'br' } });

    expect(asked).toMatchObject({
      'user-agent': expect.stringMatching(/^payment-collection-service\/\d+\.\d+\.\d+$/),
      'accept-encoding': 'gzip',
      accept: 'application/json',
    });
  });

  it.each<[string, string | Buffer, Record<string, string>]>([
    ['gzip', gzipSync(TEXT), { 'content-encoding': 'gzip' }],
    ['gzip under its old name', gzipSync(TEXT), { 'content-encoding': 'X-GZIP' }],
    ['no coding', TEXT, { 'content-encoding': 'identity' }],
    ['a byte order mark', `\uFEFF${TEXT}`, {}],
    ['a quoted character set', TEXT, { 'content-type': 'application/json;charset="UTF-8"' }],
  ])('decodes an answer with %s', async (_, body, headers) => {
    answer = { body, headers };

    expect(await (await outgoingFetch(url)).json()).toEqual({ name: 'Käthe' });
  });

  it.each<[string, Buffer, Record<string, string>, string]>([
    ['Brotli', brotliCompressSync(TEXT), { 'content-encoding': 'br' }, 'content coding "br"'],

    [
      'Latin 1',
      Buffer.from(TEXT, 'latin1'),
      { 'content-type': 'text/plain; charset=ISO-8859-1' },
      '"ISO-8859-1"',
    ],
  ])('rejects an answer in %s before decoding it', async (_, body, headers, reason) => {
    answer = { body, headers };

    await expect(outgoingFetch(url)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining(reason) }),
    });
  });

  it('returns the status of a failure in another character set', async () => {
    answer = { status: 503, body: 'away', headers: { 'content-type': 'text/html; charset=latin1' } };

    expect((await outgoingFetch(url)).status).toBe(503);
  });
});
