import { readFileSync } from 'node:fs';

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  pattern?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
}
export interface Content {
  'text/csv'?: Content['application/json'];
  'application/json'?: {
    schema: { example?: unknown };
    example?: unknown;
    examples?: Record<string, { value: unknown }>;
  };
}

export interface Answer {
  description: string;
  headers?: Record<string, unknown>;
  links?: Record<
    string,
    { operationId: string; parameters: Record<string, string>; requestBody?: Record<string, string> }
  >;
  content?: Content;
}

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: {
    name: string;
    in: string;
    description?: string;
    required: boolean;
    schema: object;
    example?: string;
  }[];
  requestBody?: { required?: boolean; content: Content };
  callbacks?: Record<string, Record<string, { post: Operation }>>;
  responses: Record<string, Answer>;
}

export interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string; variables?: Record<string, { default: string }> }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description: string }[];
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
}

export const text = readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8');
export const document = JSON.parse(text) as Document;
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    ...operation,
  })),
);
