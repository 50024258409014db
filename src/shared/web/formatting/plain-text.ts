import { withoutDirectionControls } from '../../kernel/text.js';

/** Removes Unicode direction controls from all strings in a value. */
export function plain<T>(value: T): T {
  if (typeof value === 'string') return withoutDirectionControls(value) as T;
  if (Array.isArray(value)) return value.map(plain) as T;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)])) as T;
}

/** Wraps a string so that its text direction cannot affect the surrounding sentence. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
