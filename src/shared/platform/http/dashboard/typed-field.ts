import { AnyText } from '../validation/field-rules.js';

/** A field of a form. What people type is judged later, so that the form can be shown again with all of it. */
export function Typed(): PropertyDecorator {
  return AnyText({}, { optional: true });
}
