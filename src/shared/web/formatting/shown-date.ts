import type { PageLanguage } from '../messages/languages.js';

/** A calendar date in UTC, in words: "28 February 2027" in the manner of the language. */
export function shownDate(time: Date, language: PageLanguage): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
}

/** The same with hour and minute, and the name of the time zone, which a server does not know of its readers. */
export function shownMoment(time: Date, language: PageLanguage): string {
  const format = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(language, format).format(time)}\u00a0UTC`;
}
