import type { OpenAPIObject } from '@nestjs/swagger';
import { eachObject, type OpenApiNode } from './schema-rules.js';

const JSON_SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const COMPONENT_REF_PREFIX = '#/components/schemas/';
const JSON_SCHEMA_FORMATS = ['uuid', 'date-time', 'date', 'uri'];

export interface JsonSchemaOptions {
  title: string;
  description: string;
  oneOf: readonly string[];
}

/** For validators that do not support OpenAPI. Equal documents give equal output. */
export function jsonSchemaOf(document: OpenAPIObject, options: JsonSchemaOptions): object {
  const components = (document.components?.schemas ?? {}) as Record<string, OpenApiNode>;
  const definitions: Record<string, OpenApiNode> = {};
  const define = (name: string) => {
    const component = components[name];
    if (component === undefined) throw new Error(`The document has no schema named ${name}.`);
    if (definitions[name] !== undefined) return;
    const schema = structuredClone(component);
    definitions[name] = schema;
    eachObject(schema, (node) => {
      const referred = referencedComponent(node);
      if (referred === undefined) return translateKeywords(node);
      node['$ref'] = `#/$defs/${referred}`;
      define(referred);
    });
  };
  options.oneOf.forEach(define);
  return {
    $schema: JSON_SCHEMA_DIALECT,
    title: options.title,
    description: options.description,
    oneOf: options.oneOf.map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function referencedComponent({ $ref }: OpenApiNode): string | undefined {
  return typeof $ref === 'string' && $ref.startsWith(COMPONENT_REF_PREFIX)
    ? $ref.slice(COMPONENT_REF_PREFIX.length)
    : undefined;
}

/** Translates keywords of OpenAPI 3.0 that do not exist in JSON Schema. */
function translateKeywords(node: OpenApiNode): void {
  // An object that is not a schema, such as `properties`, may contain a field with the name of a keyword.
  if (!isSchema(node)) return;
  const { example, enum: values, format } = node;
  delete node['example'];
  delete node['x-extensible-enum'];
  if (example !== undefined) node['examples'] = [example];
  if (!JSON_SCHEMA_FORMATS.includes(format as string)) delete node['format'];
  if (!Array.isArray(values) || values.length !== 1) return;
  delete node['enum'];
  node['const'] = values[0] as unknown;
}

function isSchema(node: OpenApiNode): boolean {
  return typeof node['type'] === 'string';
}
