import { describe, expect, it } from '@jest/globals';
import { dayInZone, isIsoDate, isTimeZone, addDays, startOfDay } from './zoned-day.js';

describe('A day in a time zone', () => {
  it.each([
    ['UTC', '2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['Europe/Lisbon', '2026-07-01', '2026-06-30T23:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
    // On this day the clocks change from 23:59:59 to 01:00:00.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
  ])('starts at the first moment of the day in the zone: %s, %s, %s', (zone, day, start) => {
    expect(startOfDay(day, zone).toISOString()).toBe(start);
    expect(dayInZone(zone, new Date(start))).toBe(day);
    expect(dayInZone(zone, new Date(Date.parse(start) - 1))).toBe(addDays(day, -1));
  });

  it.each(['2026-02-29', '2026-13-01', '1999-01-01', '2026-1-1', '', '2026-01-01T00:00:00Z'])(
    'is rejected if it is not a date: %j',
    (text) => expect(isIsoDate(text)).toBe(false),
  );

  it('accepts the names of time zones only', () => {
    expect(['Europe/Madrid', 'UTC', 'Mars/Base', ''].map(isTimeZone)).toEqual([true, true, false, false]);
  });
});
