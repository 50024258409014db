import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
  CallerAddressResolver,
  callerAddressRanges,
  clientAddress,
  parseTrustedProxies,
} from './caller-address-resolver.js';
import { HttpSettings } from './http-settings.js';

function requestFrom(socket: { remoteAddress?: string }, forwarded?: string): IncomingMessage {
  return { socket, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage;
}

describe('The address of a caller', () => {
  it('is the address of the connection, whatever the headers say, if no proxy is trusted', () => {
    const callers = new CallerAddressResolver(new HttpSettings());

    const of = (remoteAddress: string) => callers.addressOf(requestFrom({ remoteAddress }, '9.9.9.9'));

    expect([of('::ffff:203.0.113.7'), of('203.0.113.8')]).toEqual(['203.0.113.7', '203.0.113.8']);
  });

  it('is read for each request, also on one connection', () => {
    const callers = new CallerAddressResolver(new HttpSettings(parseTrustedProxies('10.0.0.0/8')));
    const proxy = { remoteAddress: '10.0.0.1' };
    const socket: { remoteAddress?: string } = {};

    const before = callers.addressOf(requestFrom(socket));
    socket.remoteAddress = '203.0.113.9';

    expect(['203.0.113.7', '203.0.113.8'].map((each) => callers.addressOf(requestFrom(proxy, each)))).toEqual(
      ['203.0.113.7', '203.0.113.8'],
    );
    expect([before, callers.addressOf(requestFrom(socket))]).toEqual(['', '203.0.113.9']);
  });
});

describe('The list of ranges of a caller', () => {
  const names = (address: string) => callerAddressRanges(address).map(({ name }) => name);

  it.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
    ['1::', ['1:0:0:0::/64', '1:0:0:0::/56', '1:0:0::/48']],
    ['', ['']],
  ])('contains the address, or the /64, /56 and /48 of an IPv6 address: %s has %j', (address, ranges) =>
    expect(names(address)).toEqual(ranges),
  );
});

describe('An unlisted proxy', () => {
  const callers = new CallerAddressResolver(new HttpSettings(parseTrustedProxies('10.1.0.0/16')));
  const proxyOf = (remoteAddress: string, headers: Record<string, string>) =>
    callers.unlistedProxyOf({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);

  it.each(['10.2.0.1', '::ffff:192.168.1.1', '127.0.0.1', '100.64.0.1', 'fd00::1', 'fe80::1%eth0'])(
    'is detected as a private peer that forwards requests: %s',
    (peer) => expect(proxyOf(peer, { 'x-forwarded-for': '203.0.113.7' })).toBeDefined(),
  );

  it.each(['forwarded', 'x-real-ip'])('is detected by the header %s', (header) => {
    expect(proxyOf('10.2.0.1', { [header]: '203.0.113.7' })).toBe('10.2.0.1');
  });

  it.each([
    ['a trusted proxy', '10.1.0.1', { 'x-forwarded-for': '203.0.113.7' }],
    ['a caller in the same network', '10.2.0.1', {}],
    ['a stranger', '203.0.113.7', { 'x-forwarded-for': '1.1.1.1' }],
  ])('cannot be %s', (_, peer, headers) => expect(proxyOf(peer, headers)).toBeUndefined());
});

describe('The client address', () => {
  const trusted = parseTrustedProxies('10.0.0.0/8, fd00::/8');

  it.each<[string, string | string[] | undefined, string]>([
    ['198.51.100.1', '203.0.113.7', '198.51.100.1'],
    ['::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['10.0.0.1', '1.1.1.1, 203.0.113.7, 10.0.0.2,fd00::1', '203.0.113.7'],
    ['10.0.0.1', ['1.1.1.1', '203.0.113.7'], '203.0.113.7'],
    ['10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['10.0.0.1', '1.1.1.1, garbage, 10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', '203.0.113.7:5678', '203.0.113.7'],
    ['10.0.0.1', '1.1.1.1, [2001:db8::1]:443, 10.0.0.2:80', '2001:db8::1'],
    ['10.0.0.1', '[::ffff:203.0.113.7]:1', '203.0.113.7'],
    ['10.0.0.1', '203.0.113.7:123456', '10.0.0.1'],
    ['10.0.0.1', '[203.0.113.7', '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.7,', '10.0.0.1'],
    ['', '203.0.113.7', ''],
  ])('is read from the peer and X-Forwarded-For: %s with %j is %s', (peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, trusted)).toBe(expected);
  });

  it.each(['0.0.0.0/0', '::/0', '10.0.0.0/8,::ffff:0.0.0.0/96', 'true', '*'])(
    'cannot be read by a setting that trusts all addresses: %s',
    (list) => {
      expect(() => parseTrustedProxies(list)).toThrow(expect.objectContaining({ kind: 'invalid' }));
    },
  );
});
