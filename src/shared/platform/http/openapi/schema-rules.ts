import type { OpenAPIObject } from '@nestjs/swagger';

export const REQUEST_BODY_SUFFIX = 'Body';
const LARGEST_INT32 = 2 ** 31 - 1;
/** Names of enumerations with a single fixed value, such as the type of an event. They never get further values. */
const CONSTANT_SCHEMA_NAME = /^(?:Success|Error)Status$|NotificationType$/;

/**
 * Bodies allow no unknown fields; answers may get new fields and values later. Integers state whether they fit 32
 * bits.
 */
export function completeSchemas(document: OpenAPIObject): void {
  moveDescriptions(document);
  for (const [name, component] of Object.entries(document.components?.schemas ?? {})) {
    const isBody = name.endsWith(REQUEST_BODY_SUFFIX);
    eachObject(component, (schema) => {
      if (isSchemaOf(schema, 'object') && schema['additionalProperties'] === undefined)
        schema['additionalProperties'] = !isBody;
      if (!isBody && !CONSTANT_SCHEMA_NAME.test(name)) openEnumeration(schema);
    });
  }
  eachObject(document, (schema) => {
    if (isSchemaOf(schema, 'integer')) schema['format'] ??= integerFormat(schema);
  });
}

/** OpenAPI 3.0 allows nothing next to a `$ref`, and `allOf` with one reference makes generators invent a type. */
function moveDescriptions(document: OpenAPIObject): void {
  const schemas = document.components?.schemas as Record<string, OpenApiNode>;
  eachObject(schemas, (node) => {
    const [only, ...others] = Array.isArray(node['allOf']) ? (node['allOf'] as OpenApiNode[]) : [];
    if (typeof only?.['$ref'] !== 'string' || others.length > 0) return;
    const component = schemas[only['$ref'].slice(only['$ref'].lastIndexOf('/') + 1)]!;
    const ownText = component['description'] ?? '';
    if (typeof node['description'] === 'string' && !String(ownText).includes(node['description']))
      component['description'] = `${String(ownText)} ${node['description']}`.trim();
    for (const key of Object.keys(node)) delete node[key];
    Object.assign(node, only);
  });
}

/** `type` is an object if it is a field named `type` instead. */
function isSchemaOf(node: OpenApiNode, type: string): boolean {
  return node['type'] === type;
}

function integerFormat({ minimum = 0, maximum }: { minimum?: unknown; maximum?: unknown }): string {
  const fits = typeof maximum === 'number' && maximum <= LARGEST_INT32 && Number(minimum) >= -LARGEST_INT32;
  return fits ? 'int32' : 'int64';
}

/** Clients that know a fixed list of values fail when a new value is added. */
function openEnumeration(schema: OpenApiNode): void {
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

export type OpenApiNode = Record<string, unknown>;
type VisitObject = (object: OpenApiNode) => void;

const VALUE_KEYWORDS = ['example', 'examples', 'enum', 'x-extensible-enum'];

export function eachObject(node: unknown, before?: VisitObject, after?: VisitObject): void {
  if (typeof node !== 'object' || node === null) return;
  const object = node as OpenApiNode;
  if (!Array.isArray(node)) before?.(object);
  for (const key of Object.keys(object))
    if (!VALUE_KEYWORDS.includes(key)) eachObject(object[key], before, after);
  if (!Array.isArray(node)) after?.(object);
}
