import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ADDRESS_FORMATS } from './address-format.js';
import { childAddress } from './child-addresses.js';
import { descriptorChecksum } from './descriptor-checksum.js';
import { readDescriptor } from './read-descriptor.js';

interface Fixture {
  readonly count: number;
  readonly cases: readonly {
    readonly format: keyof typeof ADDRESS_FORMATS;
    readonly descriptor: string;
    readonly first: readonly string[];
    readonly last: string;
    readonly sha256: string;
  }[];
}

const FIXTURE = 'test/fixtures/bitcoin/addresses.json';
const { count, cases } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as Fixture;
const { mainnet } = ADDRESS_FORMATS;
const [native] = cases as [Fixture['cases'][number]];

describe('The addresses of a descriptor', () => {
  it.each(cases)('equal those of an independent implementation: $descriptor', (expected) => {
    const descriptor = readDescriptor(ADDRESS_FORMATS[expected.format], 'descriptor', expected.descriptor);

    const outputs = Array.from({ length: count }, (_, index) => childAddress(descriptor, index));

    const lines = outputs.map(({ address, script }) => `${address} ${script}\n`).join('');
    expect(outputs.slice(0, 3).map(({ address }) => address)).toEqual(expected.first);
    expect(outputs.at(-1)?.address).toBe(expected.last);
    expect(createHash('sha256').update(lines).digest('hex')).toBe(expected.sha256);
  });

  it('are the same however the descriptor is written', () => {
    const [key] = /xpub\w+/.exec(native.descriptor)!;
    const spellings = [`wpkh(${key}/0/*)`, `wpkh([00000000/84'/0H]${key}/<0;1>/*)`];

    for (const each of spellings) {
      const descriptor = readDescriptor(mainnet, 'descriptor', `${each}#${descriptorChecksum(each)}`);
      expect(childAddress(descriptor, 0).address).toBe(native.first[0]);
    }
  });

  it('end where hardened indexes begin', () => {
    const descriptor = readDescriptor(mainnet, 'descriptor', native.descriptor);

    expect(childAddress(descriptor, 2 ** 31 - 1).address).toMatch(/^bc1q/);
    for (const index of [2 ** 31, -1, 0.5, NaN]) {
      expect(() => childAddress(descriptor, index)).toThrow(RangeError);
    }
  });
});
