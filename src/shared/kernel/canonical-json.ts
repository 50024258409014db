/**
 * Serializes a JSON value in the form that is signed: no spaces, keys sorted by UTF-16 code units at every level, strings
 * escaped as in `JSON.stringify` (`/` and non-ASCII unescaped), undefined fields omitted. Does not build a sorted object,
 * because objects put integer-like keys first. Described in docs/reference/webhook-signatures.md, "Canonical JSON".
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
