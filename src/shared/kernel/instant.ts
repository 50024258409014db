import { DomainError } from './domain-error.js';

/** A timestamp by RFC 3339, section 5.6, without leap seconds. */
const RFC_3339_TIME =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,3})(\d{0,6}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * `Z` or an offset, at most nine fraction digits. Rounds fractions of a millisecond up. @returns undefined for any
 * other string
 */
export function parseTime(text: string): Date | undefined {
  const match = RFC_3339_TIME.exec(text);
  if (match === null) return undefined;
  const [, day, time, milliseconds = '', finer = '', zone] = match;
  // JavaScript would silently convert an impossible day such as February 30 to a day in March.
  if (!new Date(`${day}T00:00:00Z`).toISOString().startsWith(day!)) return undefined;
  const instant = new Date(`${day}T${time}.${milliseconds.padEnd(3, '0')}${zone}`);
  return new Date(instant.getTime() + (/[1-9]/.test(finer) ? 1 : 0));
}

export function toUnixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}

export function parseTimeSince2000(text: string): Date | undefined {
  return text.startsWith('2') ? parseTime(text) : undefined;
}

/** A time range that includes `from` and excludes `before`, so that consecutive ranges do not overlap. */
export interface TimeRange {
  readonly from?: Date;
  readonly before?: Date;
}

/** @throws validation_failed naming both fields if `before` is earlier than `from` */
export function requireOrderedRange(from: Date | undefined, before: Date | undefined): TimeRange {
  if (from !== undefined && before !== undefined && from > before) {
    const message = 'must not be later than created_to.';
    const errors = [
      { field: 'created_from', rule: 'time_order', message },
      { field: 'created_to', rule: 'time_order', message: 'must not be earlier than created_from.' },
    ];
    throw new DomainError('invalid', 'validation_failed', `created_from: ${message}`, errors);
  }
  return { from, before };
}
