import { describe, expect, it } from '@jest/globals';
import { dayRangesAt } from './ranges.js';

const at = (now: string, zone: string) =>
  dayRangesAt(new Date(now), zone).map(({ label, from, to }) => `${label}: ${from} to ${to}`);

describe('The list of offered date ranges', () => {
  it('follows the calendar', () => {
    expect(at('2028-03-31T12:00:00Z', 'UTC')).toEqual([
      'This month: 2028-03-01 to 2028-03-31',
      'Last month: 2028-02-01 to 2028-02-29',
      'This quarter: 2028-01-01 to 2028-03-31',
      'Last quarter: 2027-10-01 to 2027-12-31',
    ]);
  });

  it('uses the time zone of the organization at the turn of the year', () => {
    expect(at('2026-12-31T20:00:00Z', 'Asia/Tokyo')).toEqual([
      'This month: 2027-01-01 to 2027-01-31',
      'Last month: 2026-12-01 to 2026-12-31',
      'This quarter: 2027-01-01 to 2027-03-31',
      'Last quarter: 2026-10-01 to 2026-12-31',
    ]);
  });
});
