import { describe, expect, it } from '@jest/globals';
import { EvmPayoutAddresses } from './evm-address.js';

const read = (text: string) => new EvmPayoutAddresses().read('sandbox', 'address', text);

describe('An EVM address', () => {
  // The test vectors of EIP-55.
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('is spelled with its checksum: %s', (address) => {
    expect(read(address)).toBe(address);
    expect(read(address.toLowerCase())).toBe(address);
    expect(read(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
  });

  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed',
    '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaedd',
    '0x0000000000000000000000000000000000000000',
    '0xｆaaeb6053f3e94c9b9a09f33669435e7ef1beae',
    'vitalik.eth',
    '',
  ])('is never %j', (text) => {
    expect(() => read(text)).toThrow('address: must be an EVM address');
  });
});
