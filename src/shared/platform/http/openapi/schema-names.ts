import type { OpenAPIObject } from '@nestjs/swagger';
import { eachObject } from './schema-rules.js';

/** An inline schema names its future component with this extension. */
const COMPONENT_NAME = 'x-component-name';
const PREFIX = '#/components/schemas/';
/** Class name endings, which distinguish API classes from domain classes and mean nothing to callers. */
const CLASS_ENDING = /(?:Dto|Answer)$/;

/** Returns the public name of a class, which generated clients use for their types. */
export function schemaNameOf(className: string): string {
  return className.replace(CLASS_ENDING, '');
}

export function schemaRef(name: string): { $ref: string } {
  return { $ref: `${PREFIX}${name}` };
}

/** Names a schema that becomes a component. Several places may use the same name. */
export function namedSchema(name: string, schema: object): object {
  return { [COMPONENT_NAME]: name, ...schema };
}

/** Turns all named schemas into components, and removes class endings from all names. */
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
  // Named schemas can be nested. Inner ones are replaced first, so that equal outer schemas stay equal.
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
