import { withoutDirectionControls } from '../../kernel/text.js';

/** Removes Unicode direction controls from all strings in a value. */
export function stripDirectionControls<T>(value: T): T {
  if (typeof value === 'string') return withoutDirectionControls(value) as T;
  if (Array.isArray(value)) return value.map(stripDirectionControls) as T;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, stripDirectionControls(inner)]),
  ) as T;
}

/** Wraps a string so that its text direction cannot affect the surrounding sentence. */
export function isolateTextDirection(text: string): string {
  return `\u2068${text}\u2069`;
}
