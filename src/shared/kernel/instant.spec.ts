import { describe, expect, it } from '@jest/globals';
import { parseTimeSince2000, parseTime } from './instant.js';

describe('A time in a request or a command', () => {
  it.each([
    ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000Z'],
    ['2026-11-21T08:00:00.123000+00:00', '2026-11-21T08:00:00.123Z'],
    ['2026-11-21T08:00:00.123456789Z', '2026-11-21T08:00:00.124Z'],
    ['2026-11-21T10:00:00+02:00', '2026-11-21T08:00:00.000Z'],
    ['2024-02-29T23:30:00-01:30', '2024-03-01T01:00:00.000Z'],
  ])('is read to the millisecond, from any offset: %s as %s', (text, instant) => {
    expect(parseTimeSince2000(text)?.toISOString()).toBe(instant);
  });

  it.each([
    ...['2026-11-21', '2026-11-21T08:00:00', '2026-11-21 08:00:00Z', '2026-11-21T08:00Z'],
    ...['2026-11-21T24:00:00Z'],
    ...['2026-11-21T08:00:60Z', '2025-02-29T08:00:00Z', '2026-13-01T08:00:00Z', '2026-11-21T08:00:00+24:00'],
    ...['2026-11-21T08:00:00.1234567890Z', '1999-12-31T23:59:59Z', '+012026-11-21T08:00:00Z', '1763700000'],
    ...[''],
  ])('is rejected in any other form: %j', (text) => {
    expect(parseTimeSince2000(text)).toBeUndefined();
  });
});

describe('The time of a signing key', () => {
  it('is read in any year', () => expect(parseTime('1970-01-01T00:00:00.000Z')).toEqual(new Date(0)));
});
