import { AnyText, rule } from '../validation/field-rules.js';
import { isDay } from '#shared/kernel/zoned-day.js';

/** In characters: longer than any value of a field of one line. */
export const MAX_FIELD_LENGTH = 400;

/**
 * A field of a form. What people type is judged later, so that the form can be shown again with all of it.
 * @param maxLength in characters, for what is kept short of that of any text
 */
export function Typed(maxLength?: number): PropertyDecorator {
  return AnyText(maxLength === undefined ? {} : { maxLength }, { optional: true });
}

/** A calendar day of a filter; empty where none is chosen, as browsers send what is left empty. */
export function DayOrEmpty(): PropertyDecorator {
  return rule(
    'day',
    'must be a day of the years 2000 to 2999, like 2030-01-31.',
    (value) => value === '' || (typeof value === 'string' && isDay(value)),
    { type: String },
    { optional: true },
  );
}
