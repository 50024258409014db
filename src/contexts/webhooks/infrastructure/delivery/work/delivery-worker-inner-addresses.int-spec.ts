import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { anAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { innerSpellings, innerZone } from '#contexts/webhooks/testing/inner-addresses.js';
import { NameServer } from '#contexts/webhooks/testing/name-server.js';
import { CheckEndpoint } from '#contexts/webhooks/application/endpoints/check-endpoint.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';

/** undici says here that it is about to connect, wherever that leads. */
const CONNECTING = 'undici:client:beforeConnect';
const account = anAccount();

let platform: TestPlatform;
let names: NameServer;
let listening: Server[];
let port: number;
let contacts: number;
let departures: number;
let stops: (() => unknown)[];
const depart = () => void (departures += 1);

/** On one port of all addresses of this machine: 127.0.0.1, 127.0.0.2, whatever else is its own, and ::1. */
beforeEach(async () => {
  platform = await openTestDatabase();
  names = await new NameServer().start();
  for (const [name, records] of innerZone) names.state(name, records);
  contacts = 0;
  departures = 0;
  listening = [createServer(), createServer()];
  for (const server of listening) {
    server.on('connection', (socket) => {
      contacts += 1;
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        });
    });
  }
  await once(listening[0]!.listen(0, '0.0.0.0'), 'listening');
  port = (listening[0]!.address() as AddressInfo).port;
  await once(listening[1]!.listen({ port, host: '::', ipv6Only: true }), 'listening');
  subscribe(CONNECTING, depart);
  stops = [];
});
afterEach(async () => {
  unsubscribe(CONNECTING, depart);
  for (const stop of stops.reverse()) await stop();
  for (const server of listening) await new Promise((resolve) => server.close(resolve));
  await names.close();
  await platform.close();
});

/** Stores these URLs past every check, makes an event happen, and waits for the first attempt of each. */
async function attemptAll(urls: readonly string[], allowLoopbackHttp: boolean) {
  const fixture = webhooksFixture(platform, { allowLoopbackHttp });
  fixture.resolver.forward(names.resolver());
  const urlOf = new Map<string, string>();
  for (const url of urls) urlOf.set((await fixture.register(account, url)).id, url);
  const worker = fixture.startWorker();
  stops.push(() => worker.stop());
  await fixture.happen(statusChanged(account));
  const attempts = () =>
    fixture.rows<{ webhookId: string; error: string | null }>(
      'SELECT DISTINCT ON (webhook_id) webhook_id, error FROM webhooks.delivery_attempts ORDER BY webhook_id, attempt',
    );
  await eventually(async () => (await attempts()).length === urls.length);
  return new Map((await attempts()).map(({ webhookId: id, error }) => [urlOf.get(id)!, error]));
}

describe('Addresses that are not on the public internet', () => {
  it('are refused in every spelling, when saved and when stored already, without a contact', async () => {
    const spellings = innerSpellings(port);
    const settings = new WebhooksSettings({ secretKeys: [], allowLoopbackHttp: false });
    const endpoints = new CheckEndpoint(settings, names.resolver());

    const verdicts = await Promise.all(spellings.map(({ url }) => endpoints.execute(url)));
    const errors = await attemptAll(
      spellings.map(({ url }) => url),
      false,
    );

    const ruleOf = (n: number) => (verdicts[n] as { rule?: string }).rule ?? 'none';
    expect(spellings.map((spelling, n) => ({ ...spelling, rule: ruleOf(n) }))).toEqual(spellings);
    expect(spellings.map(({ url }) => [url, errors.get(url)])).toEqual(
      spellings.map(({ url, rule }) => [url, rule === 'resolvable' ? 'unresolvable' : 'address_not_allowed']),
    );
    expect({ contacts, departures }).toEqual({ contacts: 0, departures: 0 });
  });

  it('are where this test would notice a contact: there development’s loopback arrives', async () => {
    const hosts = ['127.0.0.1', '127.0.0.2', '0x7f.1', 'localhost', '[::1]'];

    const errors = await attemptAll(
      hosts.map((host) => `http://${host}:${port}/`),
      true,
    );

    expect([...errors.values()]).toEqual([null, null, null, null, null]);
    expect({ contacts, departures }).toEqual({ contacts: 5, departures: 5 });
  });
});
