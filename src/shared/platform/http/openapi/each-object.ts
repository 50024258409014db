export type DocumentNode = Record<string, unknown>;
type Visit = (object: DocumentNode) => void;

/** Values below these names may look like a schema and are none. */
const VALUES = ['example', 'examples', 'enum', 'x-extensible-enum'];

/** Visits all objects of a document but those in examples: `before` their parts, `after` them. */
export function eachObject(node: unknown, before?: Visit, after?: Visit): void {
  if (typeof node !== 'object' || node === null) return;
  const object = node as DocumentNode;
  if (!Array.isArray(node)) before?.(object);
  for (const key of Object.keys(object)) if (!VALUES.includes(key)) eachObject(object[key], before, after);
  if (!Array.isArray(node)) after?.(object);
}
