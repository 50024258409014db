import { dayIn, shownIn } from '../../kernel/zoned-day.js';
import type { PageLanguage } from '../messages/languages.js';

/** A rounded duration in words: "2 minutes", "40 seconds". @param seconds at least 0 */
export function roundedDuration(seconds: number, language: PageLanguage): string {
  const [count, unit] =
    seconds < 60
      ? [Math.max(10, Math.ceil(seconds / 10) * 10), 'second']
      : seconds < 3600
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** Like a clock that runs down: `7:05`, `1:00:00`. The browser script writes the same. */
export function countdown(seconds: number): string {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(':')}` : parts.join(':').replace(/^0/, '');
}

/** Whole seconds, rounded up, so that a countdown that shows zero has ended. */
export function secondsLeft(now: Date, until: Date): number {
  return Math.max(0, Math.ceil((until.getTime() - now.getTime()) / 1000));
}

/** A calendar date in UTC, in words: "28 February 2027" in the manner of the language. */
export function shownDate(time: Date, language: PageLanguage): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
}

/** The same with hour and minute, and the name of the time zone, which a server does not know of its readers. */
export function shownMoment(time: Date, language: PageLanguage): string {
  const format = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(language, format).format(time)}\u00a0UTC`;
}

/** `2026-01-31 23:59:59 UTC`, by the clocks of a time zone of the IANA database, which it names. */
export function exactTime(time: Date, zone: string): string {
  return `${shownIn(zone, time).replace('T', ' ')} ${zone}`;
}

/** A unit is counted from so many seconds on; the longest comes first. */
const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;
/** The date is shown from so many days on. */
const DATED_FROM = 7;

/**
 * How long ago, or how long until: "3 minutes ago", "in 2 days"; within a minute "now"; from a week on the date, with its
 * year where that is not the present one.
 */
export function relativeTime(time: Date, now: Date, zone: string, language: PageLanguage): string {
  const seconds = (time.getTime() - now.getTime()) / 1000;
  const unit = UNITS.find(([length]) => Math.abs(seconds) >= length);
  const format = new Intl.RelativeTimeFormat(language, { numeric: unit === undefined ? 'auto' : 'always' });
  if (unit === undefined) return format.format(0, 'second');
  const count = Math.trunc(seconds / unit[0]);
  if (unit[1] !== 'day' || Math.abs(count) < DATED_FROM) return format.format(count, unit[1]);
  const year =
    dayIn(zone, time).slice(0, 4) === dayIn(zone, now).slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  const date = { day: 'numeric', month: 'short', timeZone: zone, ...year } as const;
  return new Intl.DateTimeFormat(language, date).format(time);
}
