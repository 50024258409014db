import { describe, expect, it } from '@jest/globals';
import {
  formatCountdown,
  formatRelativeTime,
  formatRoundedDuration,
  secondsLeft,
  formatDate,
  formatDateTime,
} from './shown-time.js';
import { PAGE_LANGUAGES } from '../messages/languages.js';

describe('A duration', () => {
  it.each([
    [3, 'en', '10 seconds'],
    [41, 'en', '50 seconds'],
    [3600, 'en', '1 hour'],
    [60, 'en', '1 minute'],
    [61, 'es', '2 minutos'],
    [900, 'pt', '15 minutos'],
    [5000, 'en', '2 hours'],
  ] as const)('is rounded and translated: %i seconds in %s is %s', (seconds, language, shown) => {
    expect(formatRoundedDuration(seconds, language)).toBe(shown);
  });
});

describe('A countdown', () => {
  it.each([
    [0, '0:00'],
    [65, '1:05'],
    [600, '10:00'],
    [3600, '1:00:00'],
  ])('shows minutes and seconds: %i s is %s', (seconds, shown) => {
    expect(formatCountdown(seconds)).toBe(shown);
  });

  it('shows zero only when no time remains', () => {
    const at = (ms: number): Date => new Date(ms);

    expect([secondsLeft(at(0), at(1)), secondsLeft(at(1), at(1)), secondsLeft(at(2), at(1))]).toEqual([
      1, 0, 0,
    ]);
  });
});

const LATE = new Date('2027-02-28T23:05:00Z');

describe('A date on a page', () => {
  it('is in UTC and in the language of the page, and has its time zone if it has a time', () => {
    expect(
      PAGE_LANGUAGES.map((language) => [formatDate(LATE, language), formatDateTime(LATE, language)]),
    ).toEqual([
      ['February 28, 2027', 'February 28, 2027 at 23:05\u00a0UTC'],
      ['28 de febrero de 2027', '28 de febrero de 2027 a las 23:05\u00a0UTC'],
      ['28 de fevereiro de 2027', '28 de fevereiro de 2027 às 23:05\u00a0UTC'],
    ]);
  });
});

describe('A time relative to now', () => {
  const NOW = new Date('2027-01-10T12:00:00Z');
  const WEEK = 7 * 86_400;

  it.each([
    [-59, 'now'],
    [-60, '1 minute ago'],
    [-3_599, '59 minutes ago'],
    [3_600, 'in 1 hour'],
    [-86_399, '23 hours ago'],
    [1 - WEEK, '6 days ago'],
    [-WEEK, 'Jan 3'],
    [-2 * WEEK, 'Dec 27, 2026'],
  ])('is shown in its largest unit, and as a date from a week on: %i seconds as %s', (seconds, shown) => {
    expect(formatRelativeTime(new Date(NOW.getTime() + seconds * 1_000), NOW, 'UTC', 'en')).toBe(shown);
  });
});
