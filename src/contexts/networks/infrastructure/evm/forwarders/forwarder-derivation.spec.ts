import { describe, expect, it } from '@jest/globals';
import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import { hasGoodChecksum } from '#contexts/networks/contract/address-spelling.js';
import { addressBytes, create2Address, firstCreation } from './evm-address.js';
import { ForwarderDerivation, InvalidForwarderTerms, saltOf } from './forwarder-derivation.js';

const TERMS = {
  settlementAddress: '0xabababababababababababababababababababab',
  feeRecipient: '0x2222222222222222222222222222222222222222',
  feeBasisPoints: 50,
};
const REQUEST = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

describe('An EVM address', () => {
  // The test cases that EIP-55 publishes.
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('is spelled %s', (address) => {
    expect(addressForPeople(address.toLowerCase())).toBe(address);
    expect(hasGoodChecksum(address)).toBe(true);
  });

  it('with one letter in the wrong case has no good checksum', () => {
    expect(hasGoodChecksum('0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(false);
  });

  // The examples that EIP-1014 publishes: deployer, salt, init code, address.
  it.each([
    ['00'.repeat(20), '00'.repeat(32), '00', '0x4D1A2e2bB4F88F0250f26Ffff098B0b30B26BF38'],
    [
      'deadbeef00000000000000000000000000000000',
      '00'.repeat(32),
      '00',
      '0xB928f69Bb1D91Cd65274e3c79d8986362984fDA3',
    ],
    [
      'deadbeef00000000000000000000000000000000',
      `${'00'.repeat(12)}feed${'00'.repeat(18)}`,
      '00',
      '0xD04116cDd17beBE565EB2422F2497E06cC1C9833',
    ],
    ['00'.repeat(20), '00'.repeat(32), 'deadbeef', '0x70f2b2914A2a4b783FaEFb75f459A580616Fcb5e'],
    [
      '00000000000000000000000000000000deadbeef',
      `${'00'.repeat(28)}cafebabe`,
      'deadbeef',
      '0x60f3f640a8508fC6a86d45DF051962668E1e8AC7',
    ],
    ['00'.repeat(20), '00'.repeat(32), '', '0xE33C0C7F7df4809055C3ebA6c09CFe4BaF1BD9e0'],
  ])('created by %s with salt %s from %s is computed', (deployer, salt, initCode, address) => {
    const hash = keccak_256(hexToBytes(initCode));

    expect(create2Address(addressBytes(`0x${deployer}`), hexToBytes(salt), hash)).toBe(address);
  });
});

describe("A forwarder's derivation", () => {
  const factory = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
  const derivation = new ForwarderDerivation(factory, 31_337);
  const derive = (terms: typeof TERMS, request = REQUEST) =>
    derivation.addressOf(derivation.initCodeHash(terms), request);

  it('puts the request id before sixteen zero bytes', () => {
    expect(bytesToHex(saltOf(REQUEST))).toBe(`0193b2f45f0e7c1a9d1e0a4b5c6d7e8f${'0'.repeat(32)}`);
  });

  it('knows the implementation from the factory', () => {
    expect(derivation.implementation).toBe(firstCreation(factory));
  });

  it('gives every difference in terms, request, chain or factory another address', () => {
    const addresses = [
      derive(TERMS),
      derive({ ...TERMS, settlementAddress: TERMS.feeRecipient }),
      derive({ ...TERMS, feeRecipient: TERMS.settlementAddress }),
      derive({ ...TERMS, feeBasisPoints: 51 }),
      derive({ ...TERMS, feeBasisPoints: 0 }),
      derive(TERMS, '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90'),
      ...[new ForwarderDerivation(factory, 1), new ForwarderDerivation(TERMS.feeRecipient, 31_337)].map(
        (other) => other.addressOf(other.initCodeHash(TERMS), REQUEST),
      ),
    ];

    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('ignores case, and the fee recipient where there is no fee', () => {
    const free = { ...TERMS, feeBasisPoints: 0 };

    expect(
      derive({ ...TERMS, settlementAddress: TERMS.settlementAddress.toUpperCase().replace('X', 'x') }),
    ).toBe(derive(TERMS));
    expect(derive({ ...free, feeRecipient: `0x${'0'.repeat(40)}` })).toBe(derive(free));
    expect(derive(TERMS, REQUEST.toUpperCase())).toBe(derive(TERMS));
  });

  it.each([
    { ...TERMS, settlementAddress: `0x${'0'.repeat(40)}` },
    { ...TERMS, settlementAddress: 'sandbox' },
    { ...TERMS, feeRecipient: `0x${'0'.repeat(40)}` },
    { ...TERMS, feeBasisPoints: 10_001 },
    { ...TERMS, feeBasisPoints: -1 },
    { ...TERMS, feeBasisPoints: 0.5 },
  ])('refuses terms that the factory has no address for: %j', (terms) => {
    expect(() => derive(terms)).toThrow(InvalidForwarderTerms);
  });
});
