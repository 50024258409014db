import { describe, expect, it } from '@jest/globals';
import { describeIpNetwork } from './describe-ip-network.js';

describe('The place of an address', () => {
  it.each([
    ['203.0.113.9', '198.51.100.7', 'Unknown location'],
    ['93.184.216.34', '8.8.8.8', 'Network 93.184.216.0/24'],
    ['93.184.216.34', '93.184.216.250', 'Your current network, 93.184.216.0/24'],
    ['::ffff:93.184.216.34', '93.184.216.1', 'Your current network, 93.184.216.0/24'],
    ['2a00:1450:4001:800::200e', '8.8.8.8', 'Network 2a00:1450:4001::/48'],
    ['127.0.0.1', '127.0.0.1', 'The server itself'],
    ['::1', '127.0.0.1', 'The server itself'],
    ['192.168.1.7', '127.0.0.1', 'Private network'],
    ['fd00::7', '127.0.0.1', 'Private network'],
    ['100.64.0.9', '8.8.8.8', 'Shared provider network'],
    ['', '8.8.8.8', 'Unknown location'],
    ['nowhere', '', 'Unknown location'],
  ])('is described relative to the present address: %s, seen from %s: %s', (address, present, place) => {
    const { words, network = '' } = describeIpNetwork(address, present);

    expect(words.replace('{network}', network)).toBe(place);
  });
});
