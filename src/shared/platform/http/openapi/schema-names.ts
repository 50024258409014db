import type { OpenAPIObject } from '@nestjs/swagger';
import { eachObject } from './schema-rules.js';

/** A schema that is written in place names by this the component that it is to become. */
const COMPONENT_NAME = 'x-component-name';
const PREFIX = '#/components/schemas/';
/** Classes of the interface have this ending, unlike those of the domain; to callers it means nothing. */
const CLASS_ENDING = /(?:Dto|Answer)$/;

/** Callers read this name for a class: generated clients name their types by it. */
export function schemaNameOf(className: string): string {
  return className.replace(CLASS_ENDING, '');
}

export function schemaRef(name: string): { $ref: string } {
  return { $ref: `${PREFIX}${name}` };
}

/** A schema that becomes the component of this name. Several places may name the same one. */
export function namedSchema(name: string, schema: object): object {
  return { [COMPONENT_NAME]: name, ...schema };
}

/** Makes components of all named schemas, and takes the endings of classes from all names. */
export function nameSchemas(document: OpenAPIObject): void {
  const schemas: Record<string, object> = {};
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    addSchema(schemas, schemaNameOf(name), schema);
  document.components = { ...document.components, schemas: schemas as never };
  eachObject(document, (node) => {
    const { $ref } = node;
    if (typeof $ref === 'string' && $ref.startsWith(PREFIX))
      node['$ref'] = `${PREFIX}${schemaNameOf($ref.slice(PREFIX.length))}`;
  });
  // A part may be named as well as the whole: so that equal wholes stay equal, parts come first.
  eachObject(document, undefined, (node) => {
    const { [COMPONENT_NAME]: name, ...schema } = node;
    if (typeof name !== 'string') return;
    addSchema(schemas, name, schema);
    for (const key of Object.keys(node)) delete node[key];
    Object.assign(node, schemaRef(name));
  });
}

function addSchema(schemas: Record<string, object>, name: string, schema: object): void {
  const earlier = schemas[name];
  if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(schema))
    throw new Error(`Two different schemas would be named ${name}.`);
  schemas[name] = schema;
}
