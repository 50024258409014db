import { describe, expect, it } from '@jest/globals';
import { PASSWORD_BACK_OFF, waitSecondsAfter } from './lock-out.js';

describe('The wait after wrong guesses', () => {
  it('starts with the fifth guess, doubles with each further guess, and is limited to 15 minutes', () => {
    const waits = Array.from({ length: 12 }, (_, n) => waitSecondsAfter(n + 1, PASSWORD_BACK_OFF));

    expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
    expect(waitSecondsAfter(1_000_000, PASSWORD_BACK_OFF)).toBe(900);
  });
});
