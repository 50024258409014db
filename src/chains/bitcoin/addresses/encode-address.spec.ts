import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { bech32, bech32m } from '@scure/base';
import { encodeBase58 } from './address-format.js';
import { base58Address, segwitAddress } from './encode-address.js';

const bytes = (seed: number, length: number) =>
  createHash('sha512').update(`${seed}`).digest().subarray(0, length);

describe('An encoded address', () => {
  it('equals that of a general bech32 encoder for witness programs', () => {
    for (let seed = 0; seed < 400; seed += 1) {
      const [version, length] = [seed % 17, 2 + (seed % 39)];
      const program = bytes(seed, length);
      const encoder = version === 0 ? bech32 : bech32m;

      expect(segwitAddress('bcrt', version, program)).toBe(
        encoder.encode('bcrt', [version, ...encoder.toWords(program)]),
      );
    }
  });

  it.each([0x00, 0x05, 0x6f, 0xc4])(
    'equals that of a general base58 encoder for hashes with leading zeros: behind byte %i',
    (version) => {
      for (let seed = 0; seed < 100; seed += 1) {
        const hash = bytes(seed, 20);
        hash.fill(0, 0, seed % 21);

        expect(base58Address(version, hash)).toBe(encodeBase58(Buffer.concat([Buffer.of(version), hash])));
      }
    },
  );
});
