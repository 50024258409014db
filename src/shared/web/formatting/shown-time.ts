import { dayInZone, localTimeInZone } from '../../kernel/zoned-day.js';
import type { PageLanguage } from '../messages/languages.js';

/** Formats a duration in rounded form: "2 minutes", "40 seconds". @param seconds at least 0 */
export function formatRoundedDuration(seconds: number, language: PageLanguage): string {
  const [count, unit] =
    seconds < 60
      ? [Math.max(10, Math.ceil(seconds / 10) * 10), 'second']
      : seconds < 3600
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** Formats the remaining time of a countdown: `7:05`, `1:00:00`. The browser script formats it in the same form. */
export function formatCountdown(seconds: number): string {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(':')}` : parts.join(':').replace(/^0/, '');
}

/** Returns the remaining seconds, rounded up, so that a displayed zero means that the time is over. */
export function secondsLeft(now: Date, until: Date): number {
  return Math.max(0, Math.ceil((until.getTime() - now.getTime()) / 1000));
}

/** Formats a UTC date in the reader's language: "28 February 2027". */
export function formatDate(time: Date, language: PageLanguage): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
}

/** Formats a date with hour, minute and "UTC", because the server does not know the reader's time zone. */
export function formatDateTime(time: Date, language: PageLanguage): string {
  const format = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(language, format).format(time)}\u00a0UTC`;
}

/** Formats a time in an IANA time zone: `2026-01-31 23:59:59 UTC`. */
export function formatExactTime(time: Date, zone: string): string {
  return `${localTimeInZone(zone, time).replace('T', ' ')} ${zone}`;
}

/** Units for relative times, each with its length in seconds, longest first. */
const RELATIVE_TIME_UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;
/** The date is displayed instead of a relative time from this number of days on. */
const DATE_SHOWN_FROM_DAYS = 7;

/** Formats the date instead from a week on. */
export function formatRelativeTime(time: Date, now: Date, zone: string, language: PageLanguage): string {
  const seconds = (time.getTime() - now.getTime()) / 1000;
  const unit = RELATIVE_TIME_UNITS.find(([length]) => Math.abs(seconds) >= length);
  const format = new Intl.RelativeTimeFormat(language, { numeric: unit === undefined ? 'auto' : 'always' });
  if (unit === undefined) return format.format(0, 'second');
  const count = Math.trunc(seconds / unit[0]);
  if (unit[1] !== 'day' || Math.abs(count) < DATE_SHOWN_FROM_DAYS) return format.format(count, unit[1]);
  const year =
    dayInZone(zone, time).slice(0, 4) === dayInZone(zone, now).slice(0, 4)
      ? {}
      : ({ year: 'numeric' } as const);
  const date = { day: 'numeric', month: 'short', timeZone: zone, ...year } as const;
  return new Intl.DateTimeFormat(language, date).format(time);
}
