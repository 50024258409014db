import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ADDRESS_FORMATS } from './address-format.js';
import { childAddress } from './child-addresses.js';
import { readDescriptor } from './read-descriptor.js';

interface Fixture {
  readonly count: number;
  readonly cases: readonly {
    readonly format: keyof typeof ADDRESS_FORMATS;
    readonly descriptor: string;
    readonly first: readonly string[];
    readonly last: string;
  }[];
}

const FIXTURE = 'test/fixtures/bitcoin/addresses.json';
const { count, cases } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as Fixture;
const { mainnet } = ADDRESS_FORMATS;
const [native] = cases as [Fixture['cases'][number]];

describe('The sequence of addresses of a descriptor', () => {
  it.each(cases)('equals that of an independent implementation: $descriptor', (expected) => {
    const descriptor = readDescriptor(ADDRESS_FORMATS[expected.format], 'descriptor', expected.descriptor);
    const addresses = [0, 1, 2, count - 1].map((index) => childAddress(descriptor, index).address);

    expect(addresses).toEqual([...expected.first, expected.last]);
  });

  it('ends where hardened indexes begin', () => {
    const descriptor = readDescriptor(mainnet, 'descriptor', native.descriptor);

    expect(childAddress(descriptor, 2 ** 31 - 1).address).toMatch(/^bc1q/);
    for (const index of [2 ** 31, -1, 0.5, NaN]) {
      expect(() => childAddress(descriptor, index)).toThrow(RangeError);
    }
  });
});
