import { describe, expect, it } from '@jest/globals';
import { durationOf } from './sentence-formatting.js';

describe('A duration in words', () => {
  it.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [59.9, '59 seconds'],
    [60, '1 minute'],
    [3_725, '1 hour 2 minutes'],
    [86_400, '1 day'],
    [2 * 86_400 + 7_261, '2 days 2 hours'],
  ])('of %d seconds is its two largest units', (seconds, words) => {
    expect(durationOf(seconds)).toBe(words);
  });
});
