import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { anAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { NameServer, type Records } from '#contexts/webhooks/testing/name-server.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { selfSignedCertificate } from '#contexts/webhooks/testing/self-signed-certificate.js';
import { CheckEndpoint } from '#contexts/webhooks/application/endpoints/check-endpoint.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';

const HOST = 'hooks.shop.example';
const PUBLIC: Records = { A: ['93.184.215.14'], AAAA: ['2606:2800:21f:cb07::1'], ttl: 0 };
const certificate = selfSignedCertificate(HOST);
const account = anAccount();

let platform: TestPlatform;
let names: NameServer;
/** On 127.0.0.1, with a certificate that proves the name. */
let shop: Receiver;
/** On the same port of 127.0.0.2. */
let inner: Server;
let innerContacts: number;
let stops: (() => unknown)[];

beforeEach(async () => {
  platform = await openTestDatabase();
  names = await new NameServer().start();
  shop = await startReceiver(certificate);
  innerContacts = 0;
  inner = createServer((socket) => {
    innerContacts += 1;
    socket.destroy();
  });
  await once(inner.listen(shop.port, '127.0.0.2'), 'listening');
  stops = [];
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await new Promise((resolve) => inner.close(resolve));
  await shop.close();
  await names.close();
  await platform.close();
});

function startBench(allowLoopbackHttp: boolean) {
  const fixture = webhooksFixture(platform, {
    allowLoopbackHttp,
    certificateAuthorities: [certificate.cert],
  });
  fixture.resolver.forward(names.resolver());
  const attempts = () =>
    fixture.rows<{ error: string | null; httpStatus: number | null }>(
      'SELECT error, http_status FROM webhooks.delivery_attempts ORDER BY created_at, attempt',
    );
  const startWorker = () => {
    const worker = fixture.startWorker();
    stops.push(() => worker.stop());
  };
  return { ...fixture, attempts, startWorker };
}

describe('A host that was public at registration', () => {
  it('is not contacted once it resolves to an internal address', async () => {
    const moved: Record<string, Records> = {
      'moved.example': { A: ['127.0.0.1'] },
      'moved6.example': { AAAA: ['::1'] },
      'joined.example': { A: ['93.184.215.14', '127.0.0.1'], ttl: 0 },
      'aliased.example': { CNAME: 'alias.example' },
    };
    names.state('alias.example', { CNAME: 'own.example' });
    names.state('own.example', { A: ['127.0.0.1'] });
    const fixture = startBench(false);
    const settings = new WebhooksSettings({ secretKeys: [], allowLoopbackHttp: false });
    const endpoints = new CheckEndpoint(settings, names.resolver());
    for (const [name, records] of Object.entries(moved)) {
      const url = `https://${name}:${shop.port}/`;
      names.state(name, PUBLIC);
      expect(await endpoints.execute(url)).toMatchObject({ addresses: ['93.184.215.14', '2606:2800:21f:cb07::1'] }); // prettier-ignore
      await fixture.register(account, url);
      names.state(name, records);
    }

    fixture.startWorker();
    await fixture.happen(statusChanged(account));
    await eventually(async () => (await fixture.attempts()).length === 4);

    expect(await fixture.attempts()).toEqual(
      Array(4).fill({ error: 'address_not_allowed', httpStatus: null }),
    );
    expect([shop.connections.accepted, innerContacts]).toEqual([0, 0]);
  });
});

describe('A host whose addresses change between attempts', () => {
  it('is resolved once for each attempt, and only checked addresses are connected to', async () => {
    const fixture = startBench(true);
    names.state(HOST, (timesAsked) => ({
      A: [['127.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['127.0.0.1']][timesAsked] ?? ['127.0.0.2'],
      ttl: 0,
    }));
    shop.answer = (_request, response) => response.writeHead(500, { 'Keep-Alive': 'timeout=60' }).end();
    await fixture.register(account, `https://${HOST}:${shop.port}/hooks`);
    fixture.startWorker();
    await fixture.happen(statusChanged(account));
    await eventually(async () => (await fixture.attempts()).length === 1);
    // The second attempt checks again, although a connection to the checked address is open.
    const connections = shop.connections.open.size;
    await platform.advance(7);
    await eventually(async () => (await fixture.attempts()).length === 2);

    expect(await fixture.attempts()).toEqual([
      { error: 'http_status', httpStatus: 500 },
      { error: 'address_not_allowed', httpStatus: null },
    ]);
    expect([connections, shop.requests.length, innerContacts]).toEqual([1, 1, 0]);
    expect(fixture.resolver.asked).toEqual([HOST, HOST]);
    expect(names.asked).toHaveLength(4);
  });
});
