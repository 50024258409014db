import { invalidField } from '#shared/kernel/domain-error.js';

/** A calendar month in UTC, as `2030-01`; texts of them are in the order of time. */
export type Period = string;

/** The rule of a month as texts name it, and its pattern. */
export const PERIOD_RULE = 'must be a month such as 2030-01, in the years 2000 to 2999.';
export const PERIOD_PATTERN = '^2[0-9]{3}-(0[1-9]|1[0-2])$';
const PERIOD = new RegExp(PERIOD_PATTERN);

export function isPeriod(text: string): text is Period {
  return PERIOD.test(text);
}

/** @throws validation_failed on `field` */
export function readPeriod(field: string, text: string | undefined): Period {
  if (text !== undefined && isPeriod(text)) return text;
  throw invalidField(field, 'month', PERIOD_RULE);
}

export function periodOf(at: Date): Period {
  return at.toISOString().slice(0, 7);
}

/** @param months may be negative */
export function laterPeriod(period: Period, months: number): Period {
  const count = Number(period.slice(0, 4)) * 12 + Number(period.slice(5)) - 1 + months;
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`;
}

/** The date as PostgreSQL reads it. */
export function firstDayOf(period: Period): string {
  return `${period}-01`;
}

export function lastDayOf(period: Period): string {
  const end = Date.parse(`${firstDayOf(laterPeriod(period, 1))}T00:00:00Z`);
  return new Date(end - 1).toISOString().slice(0, 10);
}

/** The moment at which a writer books, and the first month that takes lines then; null where none was ever closed. */
export interface OpenBooks {
  readonly bookedAt: Date;
  readonly firstOpen: Period | null;
}

/** Where a line stands; `bookedFor` is the month it belongs to, where that is closed. */
export interface BookedPeriod {
  readonly period: Period;
  readonly bookedFor: Period | null;
}

/**
 * A line stands in the month of its money while that is open, else in the first open month.
 * @param occurredAt absent where only the booking is known; a time after the booking is a clock ahead
 */
export function standingIn({ bookedAt, firstOpen }: OpenBooks, occurredAt: Date = bookedAt): BookedPeriod {
  const period = periodOf(occurredAt > bookedAt ? bookedAt : occurredAt);
  if (firstOpen === null || period >= firstOpen) return { period, bookedFor: null };
  return { period: firstOpen, bookedFor: period };
}
