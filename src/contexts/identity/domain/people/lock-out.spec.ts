import { describe, expect, it } from '@jest/globals';
import { GUESSES, waitAfter } from './lock-out.js';

describe('The wait after wrong guesses', () => {
  it('starts with the fifth guess, doubles with each further guess, and is limited to 15 minutes', () => {
    const waits = Array.from({ length: 12 }, (_, n) => waitAfter(n + 1, GUESSES));

    expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
    expect(waitAfter(1_000_000, GUESSES)).toBe(900);
  });
});
