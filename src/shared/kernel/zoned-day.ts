import { invalidField } from './domain-error.js';

const DAY_PATTERN = /^2\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const DAY_MS = 86_400_000;
const formatByZone = new Map<string, Intl.DateTimeFormat>();

export function isIsoDate(text: string): boolean {
  return DAY_PATTERN.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}

export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name) && formatForZone(name) !== undefined;
  } catch {
    return false;
  }
}

export function requireTimeZone(field: string, name: string): string {
  if (!isTimeZone(name))
    throw invalidField(field, 'time_zone', 'must be an IANA time zone, such as Europe/Lisbon.');
  return name;
}

export function dayInZone(zone: string, at: Date): string {
  return localTimeInZone(zone, at).slice(0, 10);
}

export function localTimeInZone(zone: string, at: Date): string {
  const parts = new Map(
    formatForZone(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const [year, month, day] = ['year', 'month', 'day'].map((name) => parts.get(name as 'year')!);
  return `${year}-${month}-${day}T${parts.get('hour')}:${parts.get('minute')}:${parts.get('second')}`;
}

/** Correct even if the clocks skip midnight. @param day as accepted by `isIsoDate` */
export function startOfDay(day: string, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Time zones are at most 14 hours ahead of UTC and 12 behind, so 24 hours before or after it is always another day.
  let [before, after] = [midnight - DAY_MS, midnight + DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayInZone(zone, new Date(middle)) < day) before = middle;
    else after = middle;
  }
  return new Date(after);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function formatForZone(zone: string): Intl.DateTimeFormat {
  let format = formatByZone.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formatByZone.set(zone, format);
  }
  return format;
}
