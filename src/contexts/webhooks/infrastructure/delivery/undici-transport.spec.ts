import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startReceiver, type Receiver } from '../../testing/receiver.js';
import { selfSignedCertificate } from '../../testing/self-signed-certificate.js';
import { WebhooksSettings } from '../webhooks-settings.js';
import { UndiciTransport } from './undici-transport.js';

const HOST = 'hooks.shop.example';
const certificate = selfSignedCertificate(HOST);
const settings = (...certificateAuthorities: string[]) =>
  new WebhooksSettings({ secretKeys: [], allowLoopbackHttp: true, certificateAuthorities });

const open: { close(): Promise<unknown> }[] = [];
let transport: UndiciTransport;

beforeEach(() => {
  transport = new UndiciTransport(settings(certificate.cert));
});
afterEach(async () => {
  await transport.onApplicationShutdown();
  for (const part of open.splice(0)) await part.close();
});

async function receiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const started = await startReceiver(tls);
  open.push(started);
  return started;
}

/** Below HTTP: accepts connections and does with them as told. */
async function socketServer(
  onConnection: (socket: Socket) => void,
): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** A listening process that is too busy to accept, with its backlog full: further connections hang. */
async function portThatAcceptsNothing(): Promise<number> {
  const program = `require('node:net').createServer().listen(0, '127.0.0.1', 1, function () {
    process.stdout.write(this.address().port + '\\n', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  })`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  open.push({
    close: async () => {
      for (const socket of fillers) socket.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  });
  await pause(50);
  return port;
}

const post = (url: string, address = '127.0.0.1') =>
  transport.post({ url: new URL(url), address, headers: { 'X-Test': '1' }, body: '{"a":"Ñ😀"}' });

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const begun = performance.now();
  return [await work, performance.now() - begun];
}

describe('Sending a delivery', () => {
  it('posts the very bytes and headers to the path', async () => {
    const shop = await receiver();

    expect(await post(`http://127.0.0.1:${shop.port}/hooks?a=1`)).toEqual({ httpStatus: 200 });
    expect(shop.requests).toMatchObject([
      {
        method: 'POST',
        path: '/hooks?a=1',
        body: '{"a":"Ñ😀"}',
        headers: { 'x-test': '1', 'content-length': '14' },
      },
    ]);
  });

  it('connects to the checked address, whatever the name resolves to, and keeps the connection', async () => {
    const shop = await receiver(certificate);
    const url = `https://${HOST}:${shop.port}/`;

    expect(await post(url)).toEqual({ httpStatus: 200 });
    // undici counts a connection as free a turn of the event loop after its answer has ended.
    await pause(20);
    expect(await post(url)).toEqual({ httpStatus: 200 });
    expect(shop.requests[0]?.headers.host).toBe(`${HOST}:${shop.port}`);
    expect(shop.connections.accepted).toBe(1);
  });

  it('refuses a certificate of another name, and one that nobody vouches for', async () => {
    const shop = await receiver(certificate);
    const stranger = await receiver(selfSignedCertificate(HOST));

    expect(await post(`https://other.example:${shop.port}/`)).toEqual({ error: 'tls_failed' });
    expect(await post(`https://${HOST}:${stranger.port}/`)).toEqual({ error: 'tls_failed' });
    expect([...shop.requests, ...stranger.requests]).toEqual([]);
  });

  it.each([201, 204, 301, 302, 307, 308, 400, 410, 429, 500, 503])(
    'reports HTTP %i as it is and follows nothing',
    async (status) => {
      const inner = await receiver();
      const shop = await receiver();
      shop.answer = (_request, response) =>
        response.writeHead(status, { Location: inner.url, 'Retry-After': '3600' }).end();

      expect(await post(shop.url)).toEqual({ httpStatus: status });
      expect(inner.requests).toEqual([]);
    },
  );

  it('reads an answer of 20 kB to its end, and aborts a longer one', async () => {
    const shop = await receiver();
    shop.answer = (_request, response) => response.end(Buffer.alloc(20_000));
    const fits = await post(shop.url);
    shop.answer = (_request, response) => response.end(Buffer.alloc(20_001));
    const isTooLong = await post(shop.url);

    expect(fits).toEqual({ httpStatus: 200 });
    expect(isTooLong).toEqual({ httpStatus: 200, error: 'response_too_large' });
  });

  it('stops reading an answer that never ends, and closes its connection', async () => {
    const shop = await receiver();
    let written = 0;
    shop.answer = (_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };

    expect(await post(shop.url)).toEqual({ httpStatus: 200, error: 'response_too_large' });
    await pause(50);
    expect(shop.connections.open.size).toBe(0);
    // What the kernel's buffers take, and no more.
    expect(written).toBeLessThan(16_000_000);
  });

  it('refuses headers without end', async () => {
    const { port } = await socketServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write(`X-Filler: ${'x'.repeat(8_000)}\r\n`), 1);
      socket.once('close', () => clearInterval(timer));
    });

    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ error: 'response_too_large' });
  });

  it.each([
    ['nothing listens', undefined, 'connection_refused'],
    ['the connection is reset', (socket: Socket) => socket.resetAndDestroy(), 'connection_failed'],
    ['the connection is closed without an answer', (socket: Socket) => socket.end(), 'connection_failed'],
    [
      'the answer is not HTTP',
      (socket: Socket) => socket.end('220 mail.example ESMTP\r\n'),
      'invalid_response',
    ],
  ])('says what happened when %s', async (_, onConnection, error) => {
    const { port } = await socketServer(onConnection ?? (() => undefined));
    if (onConnection === undefined) await open.pop()!.close();

    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ error });
  });

  it('does not take a broken-off answer for an acknowledgement', async () => {
    const { port } = await socketServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab')),
    );

    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ httpStatus: 200, error: 'connection_failed' });
  });
});

describe('The two seconds of an attempt', () => {
  const drip = (socket: Socket, head: string) => {
    socket.write(head);
    const timer = setInterval(() => socket.write('x'), 100);
    socket.once('close', () => clearInterval(timer));
  };

  it('end it wherever it hangs: connecting, TLS, headers, body or drip by drip', async () => {
    const silent = await socketServer((socket) => socket.resume());
    const slowHead = await socketServer((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-'));
    const slowBody = await socketServer((socket) =>
      drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n'),
    );
    const informing = await socketServer((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 100);
      socket.once('close', () => clearInterval(timer));
    });
    const late = await receiver();
    late.answer = (_request, response) => void setTimeout(() => response.end(), 2_300);

    const results = await Promise.all([
      timed(post(`http://127.0.0.1:${await portThatAcceptsNothing()}/`)),
      timed(post(`https://${HOST}:${silent.port}/`)),
      timed(post(`http://127.0.0.1:${silent.port}/`)),
      timed(post(`http://127.0.0.1:${slowHead.port}/`)),
      timed(post(`http://127.0.0.1:${slowBody.port}/`)),
      timed(post(`http://127.0.0.1:${informing.port}/`)),
      timed(post(late.url)),
    ]);

    expect(results.map(([{ error }]) => error)).toEqual(Array(7).fill('timeout'));
    expect(results[4][0].httpStatus).toBe(200);
    for (const [, ms] of results) expect(ms).toBeLessThan(2_400);
    // Timers count from the turn of the event loop they were set in, which may have begun a little earlier.
    for (const [, ms] of results) expect(ms).toBeGreaterThan(1_600);
    const left = () => [silent, slowHead, slowBody, informing].map(({ sockets }) => sockets.size);
    for (let waited = 0; waited < 3_000 && left().some((sockets) => sockets > 0); waited += 50)
      await pause(50);
    expect(left()).toEqual([0, 0, 0, 0]);
  });
});
