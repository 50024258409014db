import { describe, expect, it } from '@jest/globals';
import { nextNonce } from './next-nonce.js';

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
