import { invalidField } from '#shared/kernel/domain-error.js';

/** A calendar month in UTC, such as `2030-01`. Sorts chronologically as a string. */
export type Period = string;

export const PERIOD_FORMAT_MESSAGE = 'must be a month such as 2030-01, in the years 2000 to 2999.';
export const PERIOD_PATTERN = '^2[0-9]{3}-(0[1-9]|1[0-2])$';
const PERIOD_REGEXP = new RegExp(PERIOD_PATTERN);

export function isPeriod(text: string): text is Period {
  return PERIOD_REGEXP.test(text);
}

export function requirePeriodText(field: string, text: string | undefined): Period {
  if (text !== undefined && isPeriod(text)) return text;
  throw invalidField(field, 'month', PERIOD_FORMAT_MESSAGE);
}

export function periodOf(at: Date): Period {
  return at.toISOString().slice(0, 7);
}

export function addMonths(period: Period, months: number): Period {
  const count = Number(period.slice(0, 4)) * 12 + Number(period.slice(5)) - 1 + months;
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`;
}

export function firstDayOf(period: Period): string {
  return `${period}-01`;
}

export function lastDayOf(period: Period): string {
  const end = Date.parse(`${firstDayOf(addMonths(period, 1))}T00:00:00Z`);
  return new Date(end - 1).toISOString().slice(0, 10);
}

export interface OpenBooks {
  readonly bookedAt: Date;
  readonly firstOpen: Period | null;
}

/** `bookedFor` is the month that the line belongs to, if that month is closed. */
export interface BookedPeriod {
  readonly period: Period;
  readonly bookedFor: Period | null;
}

/**
 * If the month when the funds moved is closed, books in the first open month. The time of booking replaces a later
 * time (a clock that is ahead).
 */
export function bookedPeriod({ bookedAt, firstOpen }: OpenBooks, occurredAt: Date = bookedAt): BookedPeriod {
  const period = periodOf(occurredAt > bookedAt ? bookedAt : occurredAt);
  if (firstOpen === null || period >= firstOpen) return { period, bookedFor: null };
  return { period: firstOpen, bookedFor: period };
}
