/** Embeddings, overrides and isolates: a name must not reverse the sentence around it. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Removes characters that change the direction of surrounding text from all texts of a value. */
export function plain<T>(value: T): T {
  if (typeof value === 'string') return value.replace(DIRECTION_CONTROLS, '') as T;
  if (Array.isArray(value)) return value.map(plain) as T;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)])) as T;
}

/** Isolates text for use within a sentence, whatever direction it is written in. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
