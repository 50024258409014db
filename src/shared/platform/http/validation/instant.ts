import { readInstant } from '#shared/kernel/instant.js';
import { rule, type FieldOptions } from './field-rules.js';

/** A time of the years 2000 to 2999, in ISO 8601 with `Z` or an offset, to the nanosecond at most. */
export function Instant(options: FieldOptions = {}): PropertyDecorator {
  return rule(
    'instant',
    'must be an ISO 8601 time with Z or an offset, such as "2030-01-31T12:00:00Z", from the year 2000.',
    (value) => typeof value === 'string' && readInstant(value) !== undefined,
    { type: String, format: 'date-time', maxLength: 35 },
    options,
  );
}
