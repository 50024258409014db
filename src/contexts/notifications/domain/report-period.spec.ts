import { describe, expect, it } from '@jest/globals';
import {
  startOfNextPeriod,
  startOfPeriodContaining,
  startOfCurrentPeriod,
  rangeOfPeriod,
} from './report-period.js';

describe('The period of a report', () => {
  it.each([
    ['week', '2026-11-29', '2026-11-23', '2026-11-30'],
    ['week', '2026-11-30', '2026-11-30', '2026-12-07'],
    ['week', '2027-01-01', '2026-12-28', '2027-01-04'],
    ['month', '2028-02-29', '2028-02-01', '2028-03-01'],
    ['month', '2026-12-31', '2026-12-01', '2027-01-01'],
  ] as const)(
    'spans a whole %s: the one with %s begins on %s and ends before %s',
    (period, day, startsOn, next) => {
      expect(startOfPeriodContaining(period, day)).toBe(startsOn);
      expect(startOfNextPeriod(period, startsOn)).toBe(next);
    },
  );

  it('follows the clock of its time zone across a change to winter time', () => {
    const { from, until, dueAt } = rangeOfPeriod('month', '2026-10-01', 'Europe/Lisbon');

    expect([from, until, dueAt].map((at) => at.toISOString())).toEqual([
      '2026-09-30T23:00:00.000Z',
      '2026-11-01T00:00:00.000Z',
      '2026-11-01T06:00:00.000Z',
    ]);
  });

  it('depends on the date in its time zone', () => {
    const at = new Date('2026-12-31T20:00:00Z');

    expect(startOfCurrentPeriod('month', 'Asia/Tokyo', at)).toBe('2027-01-01');
    expect(startOfCurrentPeriod('month', 'UTC', at)).toBe('2026-12-01');
  });
});
