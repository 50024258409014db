/** Embeddings, overrides and isolates: a name must not turn round the sentence it stands in. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** The same value, with all its texts rid of characters that change the direction of what stands around them. */
export function plain<T>(value: T): T {
  if (typeof value === 'string') return value.replace(DIRECTION_CONTROLS, '') as T;
  if (Array.isArray(value)) return value.map(plain) as T;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)])) as T;
}

/** For use within a sentence, in whatever direction the plain text is written itself. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
