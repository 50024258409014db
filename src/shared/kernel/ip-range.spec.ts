import { describe, expect, it } from '@jest/globals';
import { isInAnyRange, parseCidr, parseUnmappedAddress, isLoopbackHost } from './ip-range.js';

describe('An IP address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['0000:0000:0000:0000:0000:ffff:255.255.255.255', '255.255.255.255'],
    ['fe80::1%eth0', 'fe80::1'],
    ['2001:DB8:0:0::0001', '2001:db8::1'],
  ])('has one spelling: %s', (text, canonical) =>
    expect(parseUnmappedAddress(text)?.toString()).toBe(canonical),
  );

  it.each([
    ...['', 'x', '127.1', '0177.0.0.1', '0x7f.0.0.1', '2130706433', '1.2.3.4.5', '256.1.1.1', ' 1.2.3.4'],
    ...['1.2.3.4:80'],
    ...['[::1]', ':::', '1.2.3.4/8', '%eth0', '１.2.3.4'],
  ])('is rejected if it is ambiguous: %s', (text) => expect(parseUnmappedAddress(text)).toBeUndefined());
});

describe('A range of IP addresses', () => {
  it.each([
    ['10.1.2.255/25', '10.1.2.128/25'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['2001:db8:ffff::1/33', '2001:db8:8000::/33'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('ignores host bits and the IPv6 form of IPv4: %s', (text, canonical) =>
    expect(parseCidr(text).text).toBe(canonical),
  );

  it.each([
    ...['', '/', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/08', '10.0.0.0/1e1', '10.0.0.0/8/8'],
    ...['10.0.0/8'],
    ...['::/129', '::ffff:10.0.0.0/95', 'fe80::1%eth0/64', ' 10.0.0.0/8', 'example.com'],
  ])('is rejected when malformed: "%s"', (text) => {
    expect(() => parseCidr(text, 'ip_allowlist[0]')).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        errors: [expect.objectContaining({ field: 'ip_allowlist[0]' })],
      }),
    );
  });

  it.each([
    ['10.9.9.9', ['10.0.0.0/8'], true],
    ['::ffff:10.9.9.9', ['10.0.0.0/8'], true],
    ['10.9.9.9', ['::ffff:10.0.0.0/104'], true],
    ['11.0.0.1', ['10.0.0.0/8', '12.0.0.0/8'], false],
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['10.0.0.1', ['::/0'], false],
    ['::1', ['0.0.0.0/0'], false],
    ['10.0.0.1', [], false],
  ])('contains the addresses within it, and no others: %s in %j', (address, ranges, held) => {
    const cidrs = ranges.map((range) => parseCidr(range));

    expect(isInAnyRange(parseUnmappedAddress(address)!, cidrs)).toBe(held);
  });
});

describe('A host of this machine', () => {
  it.each(['localhost', 'shop.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])(
    'has a loopback name or address: %s',
    (host) => expect(isLoopbackHost(host)).toBe(true),
  );

  it.each(['localhost.shop.example', 'notlocalhost', '128.0.0.1', '[::ffff:7f00:1]', '10.0.0.1', ''])(
    'does not have any other name or address: %j',
    (host) => expect(isLoopbackHost(host)).toBe(false),
  );
});
