import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HeldTimers } from '#test/support/held-timers.js';
import { MisbehavingReceiver, type Misbehaviour } from '#contexts/webhooks/testing/misbehaving-receiver.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { selfSignedCertificate } from '#contexts/webhooks/testing/self-signed-certificate.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { UndiciTransport } from './undici-transport.js';

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
  const started = await new MisbehavingReceiver(misbehaviour, certificate).start();
  open.push(started);
  return started;
}

const post = (url: string, address = '127.0.0.1') =>
  transport.post({ url: new URL(url), address, headers: { 'X-Test': '1' }, body: '{"a":"Ñ😀"}' });

// How receivers misbehave, one by one: see `work/receiver-matrix.int-spec.ts`.
describe('Sending a delivery', () => {
  it('posts the very bytes and headers to the path', async () => {
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

  it('refuses a certificate that nobody vouches for, and one that names another than the address it is at', async () => {
    const stranger = await receiver(selfSignedCertificate(HOST));
    const shop = await receiver(certificate);

    expect(await post(`https://${HOST}:${stranger.port}/`)).toEqual({ error: 'tls_failed' });
    expect(await post(`https://127.0.0.1:${shop.port}/`)).toEqual({ error: 'tls_failed' });
    expect([...shop.requests, ...stranger.requests]).toEqual([]);
  });

  it('is refused where nothing listens', async () => {
    const gone = await receiver();
    await open.pop()!.close();

    expect(await post(gone.url)).toEqual({ error: 'connection_refused' });
  });

  it('heeds nothing in the environment: no proxy, and no wish to believe any certificate', async () => {
    const shop = await receiver();
    const stranger = await receiver(selfSignedCertificate(HOST));
    const proxy = await receiver();
    const program = `
      await import('reflect-metadata');
      const { UndiciTransport } = await import('./src/contexts/webhooks/infrastructure/delivery/transport/undici-transport.ts');
      const transport = new UndiciTransport({ deliveryConcurrency: 1, certificateAuthorities: [] });
      // Two seconds may be over before a new process has learnt to speak TLS on a busy machine.
      const post = async (url) => {
        const result = await transport.post({ url: new URL(url), address: '127.0.0.1', headers: {}, body: '{}' });
        return result.error === 'timeout' ? post(url) : result;
      };
      console.log(JSON.stringify([await post('${shop.url}'), await post('https://${HOST}:${stranger.port}/')]));
      await transport.onApplicationShutdown();`;
    const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    const environment = [
      // Node.js itself starts with no other URL of a proxy than a bare origin.
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

describe('An answer', () => {
  it('of 20 kB is read to its end, and a longer one is broken off', async () => {
    const shop = await receiver();
    shop.answer = (_request, response) => response.end(Buffer.alloc(20_000));
    const fits = await post(shop.url);
    shop.answer = (_request, response) => response.end(Buffer.alloc(20_001));
    const isTooLong = await post(shop.url);

    expect(fits).toEqual({ httpStatus: 200 });
    expect(isTooLong).toEqual({ httpStatus: 200, error: 'response_too_large' });
  });

  it('of 20 kB is read to its end when it comes byte by byte, too', async () => {
    const shop = await misbehaving({
      certificate,
      answer: (stream) =>
        stream.write(
          `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`,
        ),
    });

    expect(await post(`https://${HOST}:${shop.port}/`)).toEqual({ httpStatus: 200 });
  });

  it('is measured by itself, however many came by its connection before', async () => {
    const shop = await receiver(certificate);
    shop.answer = (_request, response) => response.end(Buffer.alloc(20_000));

    for (let n = 0; n < 20; n += 1) {
      expect(await post(`https://${HOST}:${shop.port}/`)).toEqual({ httpStatus: 200 });
      await pause(5);
    }

    expect(shop.connections.accepted).toBe(1);
  });

  it('may be followed by the end of its connection, without a word of warning', async () => {
    const shop = await misbehaving({
      answer: (stream) => stream.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    });

    for (let n = 0; n < 50; n += 1)
      expect(await post(`http://127.0.0.1:${shop.port}/`)).toEqual({ httpStatus: 200 });

    expect(shop.requests).toHaveLength(50);
  });

  it('that has not ended after two seconds is too late, even when it is about to, or its receiver keeps talking', async () => {
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
    await timers.until(() => late.requests.length + talking.requests.length === 2);
    await timers.pass(1_999);
    const endedEarly = ended;
    await timers.pass(1);

    expect([endedEarly, ended]).toEqual([0, 2]);
    expect(await Promise.all(results)).toEqual([{ error: 'timeout' }, { error: 'timeout' }]);
  });
});
