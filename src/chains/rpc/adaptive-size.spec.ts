import { describe, expect, it } from '@jest/globals';
import { AdaptiveSize } from './adaptive-size.js';

/** Requests of the current size succeed until it no longer grows. */
function growFully(size: AdaptiveSize): number {
  for (let before = 0; before !== size.now;) {
    before = size.now;
    size.succeeded(size.now);
  }
  return size.now;
}

describe('The adaptive size of requests', () => {
  it('stays below the smallest rejected size, even if a larger request is rejected later', () => {
    const size = new AdaptiveSize(100, 100);

    size.shrink(40);
    size.shrink(80);

    expect(size.now).toBe(20);
    expect(growFully(size)).toBe(39);
  });

  it('grows only after requests of the full size, and past a rejected size after 200 of them', () => {
    const size = new AdaptiveSize(8, 100);
    size.shrink(8);
    size.succeeded(3);
    const small = size.now;
    const bound = growFully(size);
    for (let n = 0; n < 198; n += 1) size.succeeded(7);
    const before = growFully(size);

    size.succeeded(7);

    expect([small, bound, before, growFully(size)]).toEqual([4, 7, 7, 14]);
  });
});
