import { describe, expect, it } from '@jest/globals';
import { allowsIpAddress, readIpAllowlist } from './allowed-ip-ranges.js';

describe('The IP allowlist of a credential', () => {
  it.each([
    [[], '203.0.113.7', true],
    [[], '', true],
    [['10.0.0.0/8', '2001:db8::/32'], '10.9.9.9', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
    [['0.0.0.0/0', '::/0'], 'nonsense', false],
    [['0.0.0.0/0', '::/0'], '', false],
  ])(
    'decides whether an address is allowed: ranges %j, address "%s", allowed %s',
    (ranges, address, allowed) => {
      expect(allowsIpAddress(ranges, address)).toBe(allowed);
    },
  );

  it('uses only its own ranges, whichever allowlists were used before', () => {
    const lists = [['10.0.0.0/8'], ['11.0.0.0/8'], ['10.0.0.0/16'], ['10.0.0.0/8']];

    expect(lists.map((ranges) => allowsIpAddress(ranges, '10.9.9.9'))).toEqual([true, false, false, true]);
  });

  it('contains each range once, in canonical form', () => {
    expect(readIpAllowlist(['10.1.2.3/8', '::ffff:10.0.0.0/104', '203.0.113.7'])).toEqual([
      '10.0.0.0/8',
      '203.0.113.7/32',
    ]);
  });

  it('contains at most 100 ranges', () => {
    const ranges = Array.from({ length: 101 }, (_, n) => `10.0.${n}.0/24`);

    expect(readIpAllowlist(ranges.slice(1))).toHaveLength(100);
    expect(() => readIpAllowlist(ranges)).toThrow('at most 100');
  });
});
