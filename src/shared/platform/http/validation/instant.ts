import { rule, type FieldOptions } from './field-rules.js';

/** RFC 3339, section 5.6; of the years that a clock in order can show. */
const INSTANT =
  /^(2\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,3})(\d{0,6}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A time of the years 2000 to 2999, in ISO 8601 with `Z` or an offset, to the nanosecond at most. */
export function Instant(options: FieldOptions = {}): PropertyDecorator {
  return rule(
    'instant',
    'must be a time from the year 2000 on, in ISO 8601 with Z or an offset, like 2030-01-31T12:00:00Z.',
    (value) => typeof value === 'string' && readInstant(value) !== undefined,
    { type: String, format: 'date-time', maxLength: 35 },
    options,
  );
}

/**
 * Times of events are whole milliseconds, so a bound between two of them is the later one.
 * @returns undefined where the text is no such time
 */
export function readInstant(text: string): Date | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const [, day, time, milliseconds = '', finer = '', zone] = match;
  // A day that its month does not have would be taken for one of the next month.
  if (!new Date(`${day}T00:00:00Z`).toISOString().startsWith(day!)) return undefined;
  const instant = new Date(`${day}T${time}.${milliseconds.padEnd(3, '0')}${zone}`);
  return new Date(instant.getTime() + (/[1-9]/.test(finer) ? 1 : 0));
}
