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
  ])('%s is %d seconds', (text, seconds) => {
    expect(parseDuration(text, 365)).toBe(seconds);
  });

  it.each(['', '31', 'd', '31 d', '1.5h', '-5m', '5M', '1y', '31dd', '1e3s', '9999999999s', '٣d', 'soon'])(
    '"%s" is refused by its rule',
    (text) => {
      expect(() => parseDuration(text, 365)).toThrow(
        new UsageError(
          'duration must be whole numbers with units (s, m, h, d or w), such as 31d, 15m or 1d12h.',
        ),
      );
    },
  );

  it('must be more than nothing', () => {
    expect(() => parseDuration('0d', 365)).toThrow('duration must be more than 0.');
  });

  it('may be as long as the longest, and no second longer', () => {
    expect(parseDuration('365d', 365)).toBe(31_536_000);
    expect(() => parseDuration('365d1s', 365)).toThrow('duration must be at most 365d.');
  });

  it.each([
    [0, '0s'],
    [90, '1m30s'],
    [2_678_400, '31d'],
    [129_601, '1d12h1s'],
  ])('%d seconds are written %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});
