import type { OpenAPIObject } from '@nestjs/swagger';
import { eachObject } from './schema-rules.js';

const COMPONENT_NAME = 'x-component-name';
const COMPONENT_REF_PREFIX = '#/components/schemas/';
/** Endings of API classes, removed from names that callers see. */
const CLASS_ENDING = /(?:Dto|Answer)$/;

export function schemaNameOf(className: string): string {
  return className.replace(CLASS_ENDING, '');
}

export function schemaRef(name: string): { $ref: string } {
  return { $ref: `${COMPONENT_REF_PREFIX}${name}` };
}

/** Names an inline schema, so that it becomes a component. Equal schemas may use the same name several times. */
export function namedSchema(name: string, schema: object): object {
  return { [COMPONENT_NAME]: name, ...schema };
}

export function nameSchemas(document: OpenAPIObject): void {
  const schemas: Record<string, object> = {};
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    addSchema(schemas, schemaNameOf(name), schema);
  document.components = { ...document.components, schemas: schemas as never };
  eachObject(document, (node) => {
    const { $ref } = node;
    if (typeof $ref === 'string' && $ref.startsWith(COMPONENT_REF_PREFIX))
      node['$ref'] = `${COMPONENT_REF_PREFIX}${schemaNameOf($ref.slice(COMPONENT_REF_PREFIX.length))}`;
  });
  // Named schemas can be nested. Inner ones are converted first, so that equal outer schemas stay equal.
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
