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
