import type { OpenAPIObject } from '@nestjs/swagger';

export interface OpenApiSchema {
  $ref?: string;
  allOf?: OpenApiSchema[];
  oneOf?: OpenApiSchema[];
  type?: string;
  properties?: Record<string, OpenApiSchema>;
  items?: OpenApiSchema;
  example?: unknown;
}

/** A list gets one item; of several variants, the first is used. @returns undefined if there is no example at all */
export function exampleOfSchema(schema: OpenApiSchema, document: OpenAPIObject): unknown {
  if (schema.example !== undefined) return schema.example;
  const [reference] = [schema, ...(schema.allOf ?? [])].flatMap(({ $ref }) => $ref ?? []);
  if (reference !== undefined) {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    return exampleOfSchema((document.components?.schemas?.[name] ?? {}) as OpenApiSchema, document);
  }
  const [variant] = schema.oneOf ?? [];
  if (variant !== undefined) return exampleOfSchema(variant, document);
  if (schema.items !== undefined) {
    const item = exampleOfSchema(schema.items, document);
    return item === undefined ? undefined : [item];
  }
  const fields = Object.entries(schema.properties ?? {})
    .map(([name, field]): [string, unknown] => [name, exampleOfSchema(field, document)])
    .filter(([, example]) => example !== undefined);
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}
