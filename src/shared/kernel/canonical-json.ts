/**
 * A JSON value in the one spelling that is signed: no spaces, keys in ascending order of their UTF-16 code units at
 * every level, strings escaped as `JSON.stringify` does (`/` and non-ASCII stay as they are), absent fields absent.
 * Written out by hand because an object would put integer-like keys first, whatever order they were added in.
 * Described in docs/reference/webhook-signatures.md, "Canonical JSON".
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}
