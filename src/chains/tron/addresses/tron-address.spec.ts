import { describe, expect, it } from '@jest/globals';
import { evmSpelling, hexOfTronAddress, spellAddresses, tronAddress } from './tron-address.js';

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const USDT_IN_HEX = '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c';

describe('A TRON address', () => {
  it('is Base58Check of 0x41 and the 20 bytes of the contract', () => {
    expect(hexOfTronAddress(USDT)).toBe(USDT_IN_HEX);
    expect(tronAddress(USDT_IN_HEX)).toBe(USDT);
    expect(evmSpelling(USDT)).toBe('0xa614f803B6FD780986A42c78Ec9c7f77e6DeD13C');
  });

  it.each([
    ['with a wrong checksum', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
    ['in hex', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['of an EVM network', USDT_IN_HEX],
    ['of Bitcoin', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'],
    ['of another network with Base58Check', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
    ['with surrounding space', ` ${USDT}`],
    ['in lower case', USDT.toLowerCase()],
    ['without text', ''],
  ])('is no address %s', (_, text) => {
    expect(hexOfTronAddress(text)).toBeNull();
  });

  it('replaces the hex of a sentence', () => {
    expect(spellAddresses(`it has ${USDT_IN_HEX}, not 0x1234.`)).toBe(`it has ${USDT}, not 0x1234.`);
  });
});
