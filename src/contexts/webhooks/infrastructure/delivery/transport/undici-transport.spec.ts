import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { PinnedConnectionPools } from './pinned-connection-pools.js';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HeldTimers } from '#test/support/held-timers.js';
import { eventually } from '#test/support/eventually.js';
import { HeldDeadline } from '#contexts/webhooks/testing/held-deadline.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { UndiciTransport } from './undici-transport.js';

interface Misbehaviour {
  /** Called with each new connection, before TLS. */
  readonly accept?: (socket: Socket) => void;
  /** Sends the response to each complete request. */
  readonly answer?: (stream: Duplex) => void;
  /** Key and certificate for TLS. Without it, the receiver speaks plain HTTP. */
  readonly certificate?: { readonly key: string; readonly cert: string };
}

/** A merchant's endpoint on 127.0.0.1 that violates HTTP, TLS or TCP. */
class MisbehavingReceiver {
  /** Number of complete requests received. */
  requests = 0;
  readonly open = new Set<Socket>();
  port = 0;
  private readonly server = createServer((socket) => this.take(socket));
  private readonly tls: TlsServer | null = null;

  constructor(private readonly misbehaviour: Misbehaviour) {
    if (misbehaviour.certificate === undefined) return;
    this.tls = createTlsServer(misbehaviour.certificate, (stream) => this.serve(stream));
    this.tls.on('tlsClientError', () => undefined);
  }

  async start(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(socket: Socket): void {
    this.open.add(socket.on('error', () => undefined));
    socket.once('close', () => this.open.delete(socket));
    if (this.misbehaviour.accept !== undefined) this.misbehaviour.accept(socket);
    else if (this.tls !== null) this.tls.emit('connection', socket);
    else this.serve(socket);
  }

  private serve(stream: Duplex): void {
    let received = '';
    stream.on('error', () => undefined);
    stream.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      const head = /^[^]*?\r\n\r\n/.exec(received)?.[0];
      const length = Number(/^content-length: (\d+)\r$/im.exec(head ?? '')?.[1]);
      if (head === undefined || received.length < head.length + length) return;
      received = received.slice(head.length + length);
      this.requests += 1;
      this.misbehaviour.answer?.(stream);
    });
  }
}

/** Encodes a value in DER (ITU-T X.690), as far as a certificate needs it. */
const der = (tag: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...content: Buffer[]) => der(0x30, ...content);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (text: string) => der(0x17, Buffer.from(text));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const SUBJECT_ALTERNATIVE_NAME = oid('551d11');

/** Creates a self-signed certificate (RFC 5280) for a host name. */
function selfSignedCertificate(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))));
  const names = sequence(der(0x82, Buffer.from(host)));
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const unsigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(SUBJECT_ALTERNATIVE_NAME, der(0x04, names)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', unsigned, privateKey));
  const pem = sequence(unsigned, ECDSA_WITH_SHA256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${pem.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

const HOST = 'hooks.shop.example';
const certificate = selfSignedCertificate(HOST);
const settings = (...certificateAuthorities: string[]) =>
  new WebhooksSettings({ secretKeys: [], allowLoopbackHttp: true, certificateAuthorities });

const open: { close(): Promise<unknown> }[] = [];
let transport: UndiciTransport;
let timers: HeldTimers | undefined;

beforeEach(() => {
  transport = new UndiciTransport(settings(certificate.cert));
});
afterEach(async () => {
  timers?.release();
  await transport.onApplicationShutdown();
  for (const part of open.splice(0)) await part.close();
});

async function receiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const started = await startReceiver(tls);
  open.push(started);
  return started;
}

async function misbehaving(misbehaviour: Misbehaviour): Promise<MisbehavingReceiver> {
  const started = await new MisbehavingReceiver(misbehaviour).start();
  open.push(started);
  return started;
}

const post = (url: string, address = '127.0.0.1') =>
  transport.post({ url: new URL(url), address, headers: { 'X-Test': '1' }, body: '{"a":"Ñ😀"}' });

describe('A request to a receiver', () => {
  it('contains the exact body and headers', async () => {
    const shop = await receiver();

    expect(await post(`http://127.0.0.1:${shop.port}/hooks?a=1`)).toEqual({ httpStatus: 200 });
    expect(shop.requests).toMatchObject([
      {
        method: 'POST',
        path: '/hooks?a=1',
        body: '{"a":"Ñ😀"}',
        headers: {
          'x-test': '1',
          'content-length': '14',
          'user-agent': expect.stringMatching(/^payment-collection-service\/[\d.]+ \(webhooks\)$/),
        },
      },
    ]);
  });

  it('connects to the checked address and keeps the connection', async () => {
    const shop = await receiver(certificate);
    const url = `https://${HOST}:${shop.port}/`;

    expect(await post(url)).toEqual({ httpStatus: 200 });
    // undici considers a connection free one iteration of the event loop after the response has ended.
    await pause(20);
    expect(await post(url)).toEqual({ httpStatus: 200 });
    expect(shop.requests[0]?.headers.host).toBe(`${HOST}:${shop.port}`);
    expect(shop.connections.accepted).toBe(1);
  });

  it('rejects a certificate that is not trusted, and one for another host', async () => {
    const stranger = await receiver(selfSignedCertificate(HOST));
    const shop = await receiver(certificate);

    expect(await post(`https://${HOST}:${stranger.port}/`)).toEqual({ error: 'tls_failed' });
    expect(await post(`https://127.0.0.1:${shop.port}/`)).toEqual({ error: 'tls_failed' });
    expect([...shop.requests, ...stranger.requests]).toEqual([]);
  });

  it('reports a refused connection', async () => {
    const gone = await receiver();
    await open.pop()!.close();

    expect(await post(gone.url)).toEqual({ error: 'connection_refused' });
  });

  it('ignores proxies and disabled certificate checks in the environment', async () => {
    const shop = await receiver();
    const stranger = await receiver(selfSignedCertificate(HOST));
    const proxy = await receiver();
    const program = `
      await import('reflect-metadata');
      const { UndiciTransport } = await import('./src/contexts/webhooks/infrastructure/delivery/transport/undici-transport.ts');
      const transport = new UndiciTransport({ deliveryConcurrency: 1, certificateAuthorities: [] });
      // On a busy machine, the first TLS connection of a new process can take longer than the deadline of two seconds.
      const post = async (url) => {
        const result = await transport.post({ url: new URL(url), address: '127.0.0.1', headers: {}, body: '{}' });
        return result.error === 'timeout' ? post(url) : result;
      };
      console.log(JSON.stringify([await post('${shop.url}'), await post('https://${HOST}:${stranger.port}/')]));
      await transport.onApplicationShutdown();`;
    const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    const environment = [
      // Node.js fails to start if the URL of a proxy is anything but an origin.
      ...proxies.map((name) => `${name}=${new URL(proxy.url).origin}`),
      'NODE_USE_ENV_PROXY=1',
      'NODE_TLS_REJECT_UNAUTHORIZED=0',
    ];
    const node = [
      process.execPath,
      '--import',
      './test/support/typescript-loader.mjs',
      '--input-type=module',
    ];

    const child = spawn('env', [...environment, ...node, '-e', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });

    expect(JSON.parse(await text(child.stdout))).toEqual([{ httpStatus: 200 }, { error: 'tls_failed' }]);
    expect(shop.requests).not.toEqual([]);
    expect([stranger.requests.length, proxy.connections.accepted]).toEqual([0, 0]);
  });
});

describe('The answer of a receiver', () => {
  it('is accepted with exactly 20 kB and rejected with one byte more', async () => {
    const shop = await receiver();
    shop.answer = (_request, response) => response.end(Buffer.alloc(20_000));
    const fits = await post(shop.url);
    shop.answer = (_request, response) => response.end(Buffer.alloc(20_001));
    const isTooLong = await post(shop.url);

    expect(fits).toEqual({ httpStatus: 200 });
    expect(isTooLong).toEqual({ httpStatus: 200, error: 'response_too_large' });
  });

  it('is measured separately on a reused connection', async () => {
    const shop = await receiver(certificate);
    shop.answer = (_request, response) => response.end(Buffer.alloc(20_000));

    for (let n = 0; n < 15; n += 1) {
      expect(await post(`https://${HOST}:${shop.port}/`)).toEqual({ httpStatus: 200 });
      await pause(5);
    }

    expect(shop.connections.accepted).toBe(1);
  });

  it('does not make the next requests fail if it closes the connection', async () => {
    const shop = await misbehaving({
      answer: (stream) => stream.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    });

    for (let n = 0; n < 20; n += 1)
      expect(await post(`http://127.0.0.1:${shop.port}/`)).toEqual({ httpStatus: 200 });

    expect(shop.requests).toBe(20);
  });

  it('times out at exactly two seconds, even if its receiver keeps sending', async () => {
    const late = await receiver();
    late.answer = (_request, response) => void setTimeout(() => response.end(), 2_001);
    const talking = await misbehaving({
      answer: (stream) => {
        const timer = setInterval(() => stream.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 100);
        stream.once('close', () => clearInterval(timer));
      },
    });
    timers = new HeldTimers();
    let ended = 0;

    const results = [late.url, `http://127.0.0.1:${talking.port}/`].map((url) =>
      post(url).finally(() => (ended += 1)),
    );
    await timers.until(() => late.requests.length + talking.requests === 2);
    await timers.pass(1_999);
    const endedEarly = ended;
    await timers.pass(1);

    expect([endedEarly, ended]).toEqual([0, 2]);
    expect(await Promise.all(results)).toEqual([{ error: 'timeout' }, { error: 'timeout' }]);
  });
});

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const LONG = `${OK}Content-Length: 1000000\r\n\r\n`;
const write = (text: string) => (stream: Duplex) => void stream.write(text);
const end = (text: string) => (stream: Duplex) => void stream.end(text);
/** Sends the same chunk endlessly, as fast as the client reads. */
const pour = (head: string, drop: string) => (stream: Duplex) => {
  stream.write(head);
  const more = () => {
    while (!stream.destroyed && stream.write(drop));
  };
  stream.on('drain', more);
  more();
};
/** Redirects to a port without a listener, so a client that followed it would report a refused connection. */
const moved = (status: string, ...more: string[]) =>
  write(
    [`HTTP/1.1 ${status}`, 'Location: http://127.0.0.1:9/', ...more, 'Content-Length: 0', '', ''].join(
      '\r\n',
    ),
  );

const HANGING: [name: string, httpStatus: number | undefined, misbehaviour: Misbehaviour][] = [
  ['hangs during the TLS handshake', undefined, { certificate, accept: (socket) => void socket.resume() }],
  ['sends nothing', undefined, {}],
  ['hangs within the status line', undefined, { answer: write('HTTP/1.1 20') }],
  ['hangs within the headers', undefined, { answer: write(`${OK}Content-Le`) }],
  ['hangs within the body', 200, { answer: write(`${LONG}ab`) }],
  ['hangs within the body over TLS', 200, { answer: write(`${LONG}ab`), certificate }],
];
const FAILING: [name: string, error: string | undefined, httpStatus: number | undefined, Misbehaviour][] = [
  ['streams an endless body', 'response_too_large', 200, { answer: pour(CHUNKED, `10000\r\n${'x'.repeat(65_536)}\r\n`) }], // prettier-ignore
  ['streams an endless body over TLS', 'response_too_large', 200, { certificate, answer: pour(`${OK}\r\n`, 'x'.repeat(65_536)) }], // prettier-ignore
  ['sends endless headers', 'response_too_large', undefined, { answer: pour(OK, `X-Filler: ${'x'.repeat(8_000)}\r\n`) }], // prettier-ignore
  ['sends endless early hints', 'response_too_large', undefined, { answer: pour('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)) }], // prettier-ignore
  ['sends an endless chunk extension', 'response_too_large', 200, { answer: pour(`${CHUNKED}1;`, 'x'.repeat(65_536)) }], // prettier-ignore
  ['sends endless trailers', 'response_too_large', 200, { answer: pour(`${CHUNKED}0\r\n`, `X-Filler: ${'x'.repeat(8_000)}\r\n`) }], // prettier-ignore
  ['sends 20 kB in chunks of one byte', undefined, 200, { certificate, answer: write(`${CHUNKED}${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`) }], // prettier-ignore
  ['resets after the request', 'connection_failed', undefined, { answer: (stream) => (stream as Socket).resetAndDestroy() }], // prettier-ignore
  ['resets at once', 'connection_failed', undefined, { accept: (socket) => socket.resetAndDestroy() }],
  ['closes without an answer', 'connection_failed', undefined, { answer: end('') }],
  ['breaks off the body', 'connection_failed', 200, { answer: end(`${OK}Content-Length: 5\r\n\r\nab`) }],
  [
    'breaks off the chunks',
    'invalid_response',
    200,
    { answer: end(`${OK}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n`) },
  ],
  ['resets an answer without a length', 'connection_failed', 200, {
    answer: (stream) => {
      stream.write(`${OK}Connection: close\r\n\r\nab`);
      setTimeout(() => (stream as Socket).resetAndDestroy(), 50);
    },
  }], // prettier-ignore
  ['does not send HTTP', 'invalid_response', undefined, { answer: end('220 mail.example ESMTP\r\n') }],
  ['switches protocols', 'connection_failed', undefined, { answer: moved('101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket') }], // prettier-ignore
  ['has no content', undefined, 204, { answer: write('HTTP/1.1 204 No Content\r\n\r\n') }],
  ['redirects permanently', undefined, 301, { answer: moved('301 Moved Permanently') }],
  ['redirects temporarily', undefined, 307, { answer: moved('307 Temporary Redirect') }],
];

describe('A misbehaving receiver', () => {
  const urlOf = ({ port }: MisbehavingReceiver, { certificate: tls }: Misbehaviour) =>
    tls === undefined ? `http://127.0.0.1:${port}/` : `https://${HOST}:${port}/`;

  it.each(FAILING)(
    'leads to a result: the receiver %s; error %s, HTTP status %s',
    async (_, error, httpStatus, misbehaviour) => {
      const deadline = new HeldDeadline();
      const shop = await misbehaving(misbehaviour);
      try {
        expect(await post(urlOf(shop, misbehaviour))).toEqual({ error, httpStatus });
      } finally {
        deadline.fireDeadlines();
      }
      if (error !== undefined) await eventually(() => shop.open.size === 0);
    },
  );

  it.each(HANGING)(
    'leads to a timeout, and the connection is closed: the receiver %s',
    async (_, httpStatus, misbehaviour) => {
      const deadline = new HeldDeadline();
      const shop = await misbehaving(misbehaviour);
      let hasStatus = false;
      const noteStatus = () => void (hasStatus = true);
      subscribe('undici:request:headers', noteStatus);
      const result = post(urlOf(shop, misbehaviour));
      const isHandshake = misbehaviour.accept !== undefined;
      await eventually(() => (isHandshake ? shop.open.size > 0 : shop.requests > 0));
      await eventually(() => hasStatus === (httpStatus !== undefined));
      deadline.fireDeadlines();
      unsubscribe('undici:request:headers', noteStatus);

      expect(await result).toEqual({ error: 'timeout', httpStatus });
      if (!isHandshake) await eventually(() => shop.open.size === 0);
    },
  );
});

describe('The set of connection pools', () => {
  it('has one pool for each origin and address, and closes the least recently used', () => {
    const pools = new PinnedConnectionPools({
      maxPools: 2,
      connectionsPerPool: 1,
      certificateAuthorities: [],
    });
    open.push({ close: () => pools.destroy() });
    const a = pools.pool('https://a.example', '93.184.215.14');
    const b = pools.pool('https://b.example', '93.184.215.14');
    const used = pools.pool('https://a.example', '93.184.215.14');
    const moved = pools.pool('https://a.example', '93.184.215.15');

    expect(used).toBe(a);
    expect(moved).not.toBe(a);
    expect(pools.size).toBe(2);
    expect(b.closed).toBe(true);
    expect(a.closed).toBe(false);
  });
});
