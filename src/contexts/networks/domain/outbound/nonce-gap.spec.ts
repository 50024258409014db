import { describe, expect, it } from '@jest/globals';
import { nonceGap, nonceGapRefusal, nextNonce } from './nonce-gap.js';

const NONE = new Map<number, string>();
const FLOAT = 'float:0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
const ADDRESS = '0x9a5000000000000000000000000000000000009a';

describe('A gap in the nonces of a key', () => {
  it.each([
    ['gas', 5, 4, null, ''],
    ['gas', 4, 4, null, ''],
    ['gas', 7, 4, { from: 5, below: 7 }, 'nonce 5 to 6.'],
    ['gas', 7, null, null, ''],
    [null, 7, null, null, ''],
    [FLOAT, 0, null, null, ''],
    [FLOAT, 2, null, { from: 0, below: 2 }, 'nonce 0 to 1.'],
    [FLOAT, 3, 1, { from: 2, below: 3 }, 'nonce 2.'],
  ])(
    'is found between our last nonce and the count of the node: key %s, count %d, nonce %p: %p',
    (key, count, highest, gap, says) => {
      const found = nonceGap(key, count, { highest, foreign: NONE, unsigned: [] });

      expect(found && { from: found.from, below: found.below }).toEqual(gap);
      if (found !== null)
        expect(nonceGapRefusal({ network: 'base', key, address: ADDRESS }, found).message).toContain(says);
    },
  );

  it('is found if another transaction used the nonce of a sending', () => {
    const foreign = new Map([[3, '0xabc']]);

    const gap = nonceGap('gas', 6, { highest: 5, foreign, unsigned: [] })!;

    expect(gap).toEqual({ foreign, unsigned: [], from: 6, below: 6 });
    expect(nonceGapRefusal({ network: 'base', key: 'gas', address: ADDRESS }, gap).message).toContain(
      'nonce 3.',
    );
  });

  it('is found if the chain has a transaction at a nonce that was never signed for', () => {
    const accounted = { highest: 5, foreign: NONE, unsigned: [3, 4, 5] };

    expect(nonceGap('gas', 3, accounted)).toBeNull();
    expect(nonceGap('gas', 5, accounted)).toMatchObject({ unsigned: [3, 4], from: 6, below: 6 });
  });
});

describe('The next nonce', () => {
  it.each([
    ['the node’s count, where nothing was sent yet', 7, null, 7],
    ['the one after our highest, where the node lags', 3, 9, 10],
    ['the node’s count, where others used the key', 12, 9, 12],
    ['the one after our highest, where the node has just that', 10, 9, 10],
  ])('is %s', (_, latestCount, highestOwn, expected) => {
    expect(nextNonce(latestCount, highestOwn)).toBe(expected);
  });
});
