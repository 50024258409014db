import { describe, expect, it } from '@jest/globals';
import { bech32, bech32m } from '@scure/base';
import { scriptOf, WitnessKey } from './witness-key.js';

describe('A key of the sandbox’s Bitcoin wallet', () => {
  it('has the address of its public key', () => {
    // BIP-173's key, the curve's generator.
    const key = new WitnessKey(`0x${'1'.padStart(64, '0')}`);

    expect(key.script).toBe('0014751e76e8199196d454941c45d1b3a323f1433bd6');
    expect(key.address).toBe('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080');
    expect(scriptOf(key.address)).toBe(key.script);
    expect(scriptOf(key.address.toUpperCase())).toBe(key.script);
  });
});

describe('An address that the sandbox’s wallet pays', () => {
  it.each([
    ['bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6', '512079be667e'],
    ['2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'a9144e9f39ca'],
    ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', '76a914243f1394'],
  ])('is accepted, of whatever kind: %s', (address, script) => {
    expect(scriptOf(address)?.slice(0, script.length)).toBe(script);
  });

  it.each([
    '',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  ])('is rejected if it is not an address of regtest: %j', (address) => {
    expect(scriptOf(address)).toBeUndefined();
  });

  it('requires the checksum of its version (BIP-350)', () => {
    const program = bech32.toWords(new Uint8Array(32));

    for (const [version, right, wrong] of [
      [0, bech32, bech32m],
      [1, bech32m, bech32],
    ] as const) {
      expect(scriptOf(right.encode('bcrt', [version, ...program]))).toBeDefined();
      expect(scriptOf(wrong.encode('bcrt', [version, ...program]))).toBeUndefined();
    }
  });
});
