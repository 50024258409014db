import { describe, expect, it } from '@jest/globals';
import { ADDRESS_FORMATS, type AddressFormat } from './address-format.js';
import { addressOfScript, readAddress } from './address-script.js';

const { mainnet, testnet, regtest } = ADDRESS_FORMATS;

// Test vectors of BIP-173 and BIP-350.
const VALID: readonly (readonly [AddressFormat, string, string, string])[] = [
  [
    mainnet,
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    '0014751e76e8199196d454941c45d1b3a323f1433bd6',
    'p2wpkh',
  ],
  [
    testnet,
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    'p2wsh',
  ],
  [
    mainnet,
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    'p2tr',
  ],
  [mainnet, 'BC1SW50QGDZ25J', '6002751e', 'future'],
  [
    mainnet,
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac',
    'p2pkh',
  ],
  [mainnet, '3P14159f73E4gFr7JterCCQh9QjiTjiZrG', 'a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87', 'p2sh'],
  [regtest, '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'a9144e9f39ca4688ff102128ea4ccda34105324305b087', 'p2sh'],
];

const INVALID = [
  '',
  '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7kv8f3t4',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
  'x'.repeat(100_000),
  // A base58 address that encodes 19 bytes instead of 20.
  '12D2adLM3UKy4Z4giRbReR6gjWx1w6Dz',
  // BIP-350: the other type's checksum, wrong versions and lengths, wrong padding.
  'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
  'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
  'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
  'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
  'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
  'bc1gmk9yu',
];

describe('An address', () => {
  it.each(VALID)('is read into its script and back: %j %s', (format, text, script, kind) => {
    const address = /^bc1/i.test(text) ? text.toLowerCase() : text;

    expect(readAddress(format, 'address', text)).toEqual({ address, script, kind });
    expect(addressOfScript(format, script)).toEqual({ address, script, kind });
  });

  it.each(INVALID)('is rejected with an error in it: %s', (text) => {
    expect(() => readAddress(mainnet, 'refund_to_address', text)).toThrow(
      'refund_to_address: must be a Bitcoin address with a valid checksum',
    );
  });

  it('is rejected by the name of its network if it belongs to another network', () => {
    const read = (format: AddressFormat, text: string) => () => readAddress(format, 'address', text);

    expect(read(mainnet, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toThrow(
      'address: is an address of testnet or signet, another network. ' +
        'Addresses of mainnet begin with bc1, 1 or 3.',
    );
    expect(read(mainnet, 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn')).toThrow('of testnet or signet');
    expect(read(regtest, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toThrow('of testnet or signet');
    expect(read(regtest, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toThrow('an address of mainnet');
  });
});

describe('A script without an address', () => {
  it.each([
    ['', 'nothing'],
    ['0013751e76e8199196d454941c45d1b3a323f1433b', 'version 0 of another length'],
    ['512179be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'a length that is not there'],
    ['76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac00', 'more than a template'],
  ])('has a form for which no address exists: %s (%s)', (script) => {
    expect(addressOfScript(mainnet, script)).toBeNull();
  });
});
