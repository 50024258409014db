import { promisify } from 'node:util';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startExampleApi, type ExampleApi } from '../testing/example-api.js';
import { EarlyResponder, installEarlyResponder, sendEarlyAnswer } from './early-responder.js';

const MOST = 20;
const REQUEST = 'GET /v1/things HTTP/1.1\r\nHost: x\r\n\r\n';
const HALF_A_BODY =
  'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 31\r\n\r\n{"name":"Shop",';
const THE_REST = '"amount":"12.5"}';
/** More bytes than the operating system buffers for a connection. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

class Large extends EarlyResponder {
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url !== '/large') return false;
    sendEarlyAnswer(request, response, 200, [], LARGE);
    return true;
  }
}

let api: ExampleApi;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  api = await startExampleApi({ mostConnections: MOST });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await api.close();
});

/** Opens a connection without sending anything. */
async function opened(): Promise<Socket> {
  const socket = connect(api.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function crowd(count: number): Promise<Socket[]> {
  const all: Socket[] = [];
  for (let n = 0; n < count; n += 1) all.push(await opened());
  return all;
}

/**
 * Sends `text` and waits for an answer. @returns the status line, or an empty string if the server closes the
 * connection
 */
async function answerTo(socket: Socket, text: string): Promise<string> {
  const settled = new AbortController();
  const answered = Promise.race(
    ['data', 'close'].map((name) => once(socket, name, { signal: settled.signal })),
  );
  socket.write(text);
  const [answer] = (await answered) as [Buffer | boolean];
  settled.abort();
  return String(answer).split('\r\n', 1)[0]!;
}

const closed = (socket: Socket) => (socket.closed ? undefined : once(socket.resume(), 'close'));

describe('The connection limit', () => {
  it('closes the connections that have been idle longest, and serves the new ones', async () => {
    const [first, second, ...others] = await crowd(MOST);
    const newcomers = await crowd(2);
    await Promise.all([closed(first!), closed(second!)]);

    const answers = await Promise.all([...others, ...newcomers].map((socket) => answerTo(socket, REQUEST)));

    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
  });

  it('keeps connections with a running or recent request', async () => {
    const kept = await opened();
    const served = await opened();
    served.write(HALF_A_BODY);
    await crowd(MOST - 2);
    const before = await answerTo(kept, REQUEST);

    await crowd(MOST - 2);

    expect([before, await answerTo(kept, REQUEST)]).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
    expect(await answerTo(served, THE_REST)).toBe('HTTP/1.1 200 OK');
  });

  it('closes the connection with the oldest request if all are busy', async () => {
    const all = await crowd(MOST);
    for (const socket of all) {
      const seen = once(api.app.getHttpServer(), 'request');
      socket.write(HALF_A_BODY);
      await seen;
    }
    const newcomer = await opened();

    expect(await answerTo(newcomer, REQUEST)).toBe('HTTP/1.1 200 OK');
    await closed(all[0]!);
    for (const socket of all.slice(1)) expect(await answerTo(socket, THE_REST)).toBe('HTTP/1.1 200 OK');
  });
});

describe('A connection with pipelined requests', () => {
  it('keeps the order of answers', async () => {
    const ids = Array.from({ length: 16 }, (_, n) => `ahead-${n}`);
    const requests = ids.map((id) => REQUEST.replace('Host: x', `Host: x\r\nX-Request-Id: ${id}`)).join('');

    const answers = await api.raw(requests, /ahead-15[^]*\}$/);

    expect([...answers.matchAll(/^x-request-id: (\S+)/gim)].map(([, id]) => id)).toEqual(ids);
  });

  it.each([
    ['without a body', REQUEST],
    ['with a body', `${HALF_A_BODY}${THE_REST}`],
  ])('is closed if more than sixteen requests are sent ahead: %s', async (_, request) => {
    const before = api.logLines.length;
    await api.raw(request.repeat(500), 'closed').catch(() => undefined);
    await fetch(`${api.url}/v1/things`);

    expect(api.logLines.length - before).toBeLessThanOrEqual(16 + 1);
  });
});

describe('A client that does not read', () => {
  it('is disconnected, and other clients are still served', async () => {
    const hasty = await startExampleApi({ timeouts: { silence: 300 } });
    const server = hasty.app.getHttpServer();
    installEarlyResponder(server, new Large());
    const deaf = connect(hasty.port, '127.0.0.1').on('error', () => undefined);
    sockets.push(deaf.pause());
    deaf.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');

    const other = await fetch(`${hasty.url}/v1/things`, { headers: { connection: 'close' } });
    const connections = promisify(server.getConnections.bind(server)) as () => Promise<number>;
    while ((await connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await hasty.close();

    expect(other.status).toBe(200);
  });
});

describe('A request with thousands of headers', () => {
  it('is read completely', async () => {
    const many = 'a:\r\n'.repeat(3_000);

    const answer = await api.raw(REQUEST.replace('\r\n\r\n', `\r\n${many}X-Request-Id: last\r\n\r\n`), /\}$/);

    expect(answer).toMatch(/x-request-id: last/i);
  });
});
