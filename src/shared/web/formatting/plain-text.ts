import { withoutDirectionControls } from '../../kernel/text.js';

/** Removes characters that change the text direction from all strings in a value. */
export function plain<T>(value: T): T {
  if (typeof value === 'string') return withoutDirectionControls(value) as T;
  if (Array.isArray(value)) return value.map(plain) as T;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)])) as T;
}

/** Isolates a string of any text direction for use within a sentence. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
