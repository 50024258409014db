import { isDay } from '#shared/kernel/zoned-day.js';
import { AnyText, rule } from '../validation/field-rules.js';

/** A text of a form or of a page's query. It is judged later, so that the page can be shown again with it. */
export function TypedText(): PropertyDecorator {
  return AnyText({}, { optional: true });
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
