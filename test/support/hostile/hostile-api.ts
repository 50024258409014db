import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

export type Place = 'path' | 'query' | 'header' | 'body';

export interface Field {
  place: Place;
  /** The name that an error uses: `order.items[0].amount`. */
  name: string;
  path: readonly (string | number)[];
  format?: string | undefined;
  isContainer: boolean;
  /** A field of a body that may be left out, and then be null. */
  isOptional: boolean;
}

export interface Operation {
  /** The name in the tables of these tests: `GET /v1/pos`. */
  name: string;
  method: string;
  path: string;
  isPublic: boolean;
  wantsOrganization: boolean;
  hasBody: boolean;
  /** The body may be left out, and every field of it. */
  hasOptionalBody: boolean;
  fields: Field[];
}

interface Described {
  security?: object[];
  parameters: { name: string; in: Place | 'cookie'; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { examples?: object }> }>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

export function committedDocument(): ApiDocument {
  return JSON.parse(readFileSync(join(process.cwd(), 'openapi', 'openapi.json'), 'utf8')) as ApiDocument;
}

const UNPROBED = ['Idempotency-Key', 'X-Read-After'];

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, described]) => {
      const method = verb.toUpperCase();
      const isPublic = described.security?.length === 0;
      const body = described.requestBody?.content['application/json']?.schema;
      const forbidden = described.responses['403']?.content?.['application/json']?.examples ?? {};
      return {
        name: `${method} ${path}`,
        method,
        path,
        isPublic,
        wantsOrganization: 'organization_scope_required' in forbidden,
        hasBody: body !== undefined,
        hasOptionalBody: described.requestBody?.required === false,
        fields: [
          // A cookie that was made up is no bad input: it is none, and another one is set. Nearly any text is an idempotency
          // key, once (test/evidence/idempotency-keys.evidence.ts).
          ...described.parameters.flatMap(({ name, in: place, schema }) =>
            place === 'cookie' || UNPROBED.includes(name) ? [] : [fieldAt(place, [name], schema)],
          ),
          ...(isPublic
            ? []
            : ['authorization', 'x-service-api-key'].map((name) => fieldAt('header', [name], {}))),
          ...(body === undefined ? [] : fieldsIn(document, body, [])),
        ],
      };
    }),
  );
}

function fieldsIn(document: ApiDocument, schema: Schema, parents: readonly (string | number)[]): Field[] {
  const whole = resolved(document, schema);
  // Of variants, each field of each may be left out: another variant does without it.
  const variants = whole.oneOf?.map((variant) => resolved(document, variant));
  const properties = Object.assign({}, ...(variants ?? [whole]).map((one) => one.properties)) as Record<
    string,
    Schema
  >;
  const required = variants === undefined ? (whole.required ?? []) : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = [...parents, name];
    const plain = resolved(document, property);
    const own = { ...fieldAt('body', path, plain), isOptional: !required.includes(name) };
    if (plain.type === 'object') return [own, ...fieldsIn(document, plain, path)];
    if (plain.type !== 'array') return [own];
    const item = resolved(document, plain.items ?? {});
    return [own, fieldAt('body', [...path, 0], item), ...fieldsIn(document, item, [...path, 0])];
  });
}

function fieldAt(place: Place, path: readonly (string | number)[], { type, format }: Schema): Field {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  const isContainer = type === 'object' || type === 'array';
  return { place, name: name.slice(1), path, format, isContainer, isOptional: false };
}

function resolved(document: ApiDocument, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    return resolved(document, document.components.schemas[schema.$ref.split('/').at(-1)!]!);
  }
  return schema.allOf === undefined ? schema : resolved(document, schema.allOf[0]!);
}
