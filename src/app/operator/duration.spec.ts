import { describe, expect, it } from '@jest/globals';
import { UsageError } from './command.js';
import { formatDuration, parseDuration } from './duration.js';

describe('A duration on the command line', () => {
  it.each([
    ['90s', 90],
    ['15m', 900],
    ['12h', 43_200],
    ['31d', 2_678_400],
    ['2w', 1_209_600],
    ['1d12h', 129_600],
  ])('is parsed: %s as %d seconds', (text, seconds) => {
    expect(parseDuration(text, 365)).toBe(seconds);
  });

  it.each(['', '31', 'd', '31 d', '1.5h', '-5m', '5M', '1y', '31dd', '1e3s', '9999999999s', '٣d', 'soon'])(
    'is rejected if it is malformed: "%s"',
    (text) => {
      expect(() => parseDuration(text, 365)).toThrow(
        new UsageError(
          'duration must be whole numbers with units (s, m, h, d or w), such as 31d, 15m or 1d12h.',
        ),
      );
    },
  );

  it('is rejected if it is zero', () => {
    expect(() => parseDuration('0d', 365)).toThrow('duration must be more than 0.');
  });

  it('is accepted up to the maximum, and not one second more', () => {
    expect(parseDuration('365d', 365)).toBe(31_536_000);
    expect(() => parseDuration('365d1s', 365)).toThrow('duration must be at most 365d.');
  });

  it.each([
    [0, '0s'],
    [90, '1m30s'],
    [2_678_400, '31d'],
    [129_601, '1d12h1s'],
  ])('is formatted: %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});
