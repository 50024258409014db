import { AnyText } from '../validation/field-rules.js';

/** In characters: longer than any value of a field of one line. */
export const LONGEST_FIELD = 400;

/**
 * A field of a form. What people type is judged later, so that the form can be shown again with all of it.
 * @param maxLength in characters, for what is kept short of that of any text
 */
export function Typed(maxLength?: number): PropertyDecorator {
  return AnyText(maxLength === undefined ? {} : { maxLength }, { optional: true });
}
