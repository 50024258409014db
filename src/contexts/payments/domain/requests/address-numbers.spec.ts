import { describe, expect, it } from '@jest/globals';
import { isGapExhausted } from './address-numbers.js';

describe('The limit of unpaid addresses of a wallet', () => {
  it.each([
    [{ count: 19, ofCaller: 9 }, false],
    [{ count: 20, ofCaller: 0 }, true],
    [{ count: 10, ofCaller: 10 }, true],
  ])('is reached by the number of all or by that of one caller: %j: %p', (open, taken) => {
    expect(isGapExhausted(open)).toBe(taken);
  });
});
