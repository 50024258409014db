import type { OpenAPIObject } from '@nestjs/swagger';

/** Name ending of request schemas, and of no others. */
export const BODY_ENDING = 'Body';
const LARGEST_INT32 = 2 ** 31 - 1;
/** Fixed values that name the kind of an answer or event body. No values are ever added. */
const CONSTANT = /^(?:Success|Error)Status$|NotificationType$/;

/**
 * Adds rules that no class states. Request bodies allow no other fields; answers may gain fields and values. Integers state
 * their size, because clients in some languages assume 32 bits.
 */
export function completeSchemas(document: OpenAPIObject): void {
  moveDescriptions(document);
  for (const [name, component] of Object.entries(document.components?.schemas ?? {})) {
    const isBody = name.endsWith(BODY_ENDING);
    eachObject(component, (schema) => {
      if (isSchemaOf(schema, 'object') && schema['additionalProperties'] === undefined)
        schema['additionalProperties'] = !isBody;
      if (!isBody && !CONSTANT.test(name)) openEnumeration(schema);
    });
  }
  eachObject(document, (schema) => {
    if (isSchemaOf(schema, 'integer')) schema['format'] ??= bitsOf(schema);
  });
}

/**
 * OpenAPI 3.0 allows nothing beside a `$ref`, so a field's description moves to the component. `allOf` around a single
 * reference makes some generators invent a type.
 */
function moveDescriptions(document: OpenAPIObject): void {
  const schemas = document.components?.schemas as Record<string, DocumentNode>;
  eachObject(schemas, (node) => {
    const [only, ...others] = Array.isArray(node['allOf']) ? (node['allOf'] as DocumentNode[]) : [];
    if (typeof only?.['$ref'] !== 'string' || others.length > 0) return;
    const component = schemas[only['$ref'].slice(only['$ref'].lastIndexOf('/') + 1)]!;
    const ownText = component['description'] ?? '';
    if (typeof node['description'] === 'string' && !String(ownText).includes(node['description']))
      component['description'] = `${String(ownText)} ${node['description']}`.trim();
    for (const key of Object.keys(node)) delete node[key];
    Object.assign(node, only);
  });
}

/** A field of an answer may be named `type`; its value is then an object. */
function isSchemaOf(node: DocumentNode, type: string): boolean {
  return node['type'] === type;
}

function bitsOf({ minimum = 0, maximum }: { minimum?: unknown; maximum?: unknown }): string {
  const fits = typeof maximum === 'number' && maximum <= LARGEST_INT32 && Number(minimum) >= -LARGEST_INT32;
  return fits ? 'int32' : 'int64';
}

/** Lists the known values in the description. A client with a closed enumeration would fail at the first new value. */
function openEnumeration(schema: DocumentNode): void {
  const { enum: values, description } = schema;
  if (!Array.isArray(values)) return;
  delete schema['enum'];
  const known = `Known values: ${values.map((value) => `\`${String(value)}\``).join(', ')}. More may be added.`;
  const text = description === undefined ? '' : String(description);
  const endsInList = (text.split('\n').at(-1) ?? '').startsWith('- ');
  schema['description'] = `${text}${endsInList ? '\n\n' : ' '}${known}`.trimStart();
  schema['example'] ??= values[0] as unknown;
  schema['x-extensible-enum'] = values;
}

export type DocumentNode = Record<string, unknown>;
type Visit = (object: DocumentNode) => void;

/** Values of these keywords may look like schemas. */
const VALUES = ['example', 'examples', 'enum', 'x-extensible-enum'];

/** Visits all objects of a document except examples. Calls `before` before an object's parts and `after` after them. */
export function eachObject(node: unknown, before?: Visit, after?: Visit): void {
  if (typeof node !== 'object' || node === null) return;
  const object = node as DocumentNode;
  if (!Array.isArray(node)) before?.(object);
  for (const key of Object.keys(object)) if (!VALUES.includes(key)) eachObject(object[key], before, after);
  if (!Array.isArray(node)) after?.(object);
}
