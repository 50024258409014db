import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HeldTimers } from '#test/support/held-timers.js';
import { NameServer, type OwnResolver } from '#contexts/webhooks/testing/name-server.js';

let server: NameServer;
let resolver: OwnResolver;
let timers: HeldTimers;

beforeEach(async () => {
  timers = new HeldTimers();
  server = await new NameServer().start();
  resolver = server.resolver();
});
afterEach(async () => {
  timers.release();
  await server.close();
});

/** The maximum of a lookup, in milliseconds. */
const GIVEN_UP_AFTER_MS = 1_200;

describe('The lookup of a host', () => {
  it('returns all addresses, IPv4 first', async () => {
    server.state('shop.example', { A: ['93.184.215.14', '10.0.0.7'], AAAA: ['2606::1'] });

    expect(await resolver.addresses('shop.example')).toEqual(['93.184.215.14', '10.0.0.7', '2606::1']);
  });

  it('returns nothing for an unknown name', async () => {
    expect(await resolver.addresses('gone.example')).toEqual([]);
  });

  it('returns a partial answer after 1.2 seconds', async () => {
    let isOver = false;
    server.state('half.example', { A: ['93.184.215.14'], AAAA: 'silence' });

    const found = resolver.addresses('half.example').finally(() => (isOver = true));
    // A later lookup is over: what was answered of the earlier one has arrived.
    await resolver.addresses('gone.example');
    await timers.pass(GIVEN_UP_AFTER_MS - 1);
    const wasOver = isOver;
    await timers.pass(1);

    expect([wasOver, await found]).toEqual([false, ['93.184.215.14']]);
  });

  it('follows aliases', async () => {
    server.state('shop.example', { CNAME: 'shop.hosting.example' });
    server.state('shop.hosting.example', { CNAME: 'node-7.hosting.example' });
    server.state('node-7.hosting.example', { A: ['93.184.215.14'], AAAA: ['::1'] });

    expect(await resolver.addresses('shop.example')).toEqual(['93.184.215.14', '::1']);
  });

  it('is shared by concurrent callers, and repeated for later ones despite the TTL', async () => {
    server.state('shop.example', { A: ['93.184.215.14'], ttl: 86_400 });

    await Promise.all([resolver.addresses('shop.example'), resolver.addresses('shop.example')]);
    expect(server.asked).toHaveLength(2);
    await resolver.addresses('shop.example');

    expect(server.asked).toHaveLength(4);
  });

  it('blocks no thread while a name server is silent', async () => {
    const hosts = Array.from({ length: 300 }, (_, n) => `${n}.silent.example`);
    for (const host of hosts) server.state(host, { A: 'silence', AAAA: 'silence' });
    const lookups = hosts.map((host) => resolver.addresses(host));

    await promisify(pbkdf2)('password', 'salt', 1, 32, 'sha256');

    expect(resolver.opened).toBe(256);
    await timers.pass(GIVEN_UP_AFTER_MS);
    await timers.untilAsked(GIVEN_UP_AFTER_MS, 300);
    await timers.pass(GIVEN_UP_AFTER_MS);
    expect((await Promise.all(lookups)).flat()).toEqual([]);
    expect(resolver.opened).toBe(300);
  });
});
