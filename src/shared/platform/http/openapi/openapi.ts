import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { exampleOfSchema, type OpenApiSchema } from './body-example.js';
import { errorSchema } from './error-schema.js';
import { failureResponses } from './failure-responses.js';
import { COOKIE_PARAMETER } from './operation.js';
import {
  IDEMPOTENCY_ERROR_CODES,
  IDEMPOTENT_OPERATION,
  IDEMPOTENCY_KEY_PARAMETER,
  X_READ_AFTER,
  READ_AFTER_HEADER_SCHEMA,
  READ_AFTER_PARAMETER,
  REPLAYED_HEADER_SCHEMA,
} from './operation-headers.js';
import { nameSchemas } from './schema-names.js';
import { completeSchemas } from './schema-rules.js';
import { takeErrorCodes } from '../errors/api-errors.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { httpStatusOf } from '../errors/error-kinds.js';
import { RATE_LIMIT_HEADER, RATE_LIMIT_POLICY_HEADER } from '../callers/rate-limit-headers.js';
import { PUBLIC_OPERATION } from '../callers/route-markers.js';

export interface OpenApiOptions {
  title: string;
  version: string;
  description?: string;
  tags?: Readonly<Record<string, string>>;
  license?: { readonly name: string; readonly url: string };
  /** URLs may contain `{base_url}` for the base URL of the reader's installation. */
  serverUrls: string[];
}

const SERVER_VARIABLES = {
  base_url: { default: 'http://localhost:3000', description: 'Base URL of the service.' },
};
const REQUEST_ID_HEADER = 'X-Request-Id';
const ANSWER_HEADERS = {
  [REQUEST_ID_HEADER]: {
    description:
      'Id of this response in the service’s logs. Equals the `X-Request-Id` of the request if that is valid (1 to 128 ' +
      'characters of `A-Za-z0-9._-`); otherwise generated.',
    schema: { type: 'string', maxLength: 128 },
  },
  [RATE_LIMIT_POLICY_HEADER]: {
    description:
      'Rate limits that this request counts against (draft-ietf-httpapi-ratelimit-headers-11): `q` requests per `w` seconds ' +
      'each. Absent if the request was rejected before it was counted.',
    schema: { type: 'string' },
    example: '"credential";q=100;w=1',
  },
  [RATE_LIMIT_HEADER]: {
    description:
      'Remaining quota of the limit that will be reached first: `r` requests within the next `t` seconds.',
    schema: { type: 'string' },
    example: '"credential";r=99;t=1',
  },
};
const HEADER_COMPONENTS = { ...ANSWER_HEADERS, [X_READ_AFTER]: READ_AFTER_HEADER_SCHEMA };
const RATE_LIMITED = String(httpStatusOf('rate_limited'));

/** Error codes that every operation can return, because they do not depend on the handler. */
const FAILURES_OF_EVERY_OPERATION: ErrorCode[] = ['unknown_field', 'internal_error', 'unavailable'];
const FAILURES_WITH_BODY: ErrorCode[] = [
  'validation_failed',
  'malformed_json',
  'payload_too_large',
  'request_timeout',
  'unsupported_media_type',
];
const FAILURES_WITH_CREDENTIAL: ErrorCode[] = [
  'token_missing',
  'token_invalid',
  'token_expired',
  'api_key_missing',
  'api_key_mismatch',
  'credentials_invalid',
  'credential_disabled',
  'ip_not_allowed',
  'role_required',
  'device_not_allowed',
  'rate_limited',
];
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

interface Operation {
  security?: object[];
  requestBody?: { content: Record<string, { schema: OpenApiSchema; example?: unknown }> };
  parameters?: { readonly name: string }[];
  responses: Record<string, { headers?: object }>;
  [PUBLIC_OPERATION]?: boolean;
  [COOKIE_PARAMETER]?: { readonly name: string };
  [IDEMPOTENT_OPERATION]?: boolean;
}

/** Builds the OpenAPI document of the application. */
export function buildOpenApiDocument(app: INestApplication, options: OpenApiOptions): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle(options.title)
    .setVersion(options.version)
    .setDescription(options.description ?? '')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'Access token from `POST /v1/auth/token`. Valid for 1 hour.',
      },
      'bearer',
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'x-service-api-key',
        description: 'API Key ID that the access token was issued for.',
      },
      'api-key',
    )
    .addSecurityRequirements({ bearer: [], 'api-key': [] });
  if (options.license !== undefined) builder.setLicense(options.license.name, options.license.url);
  for (const url of options.serverUrls) {
    builder.addServer(url, undefined, url.includes('{base_url}') ? SERVER_VARIABLES : undefined);
  }
  for (const [name, description] of Object.entries(options.tags ?? {})) builder.addTag(name, description);
  // Cloned, because Swagger's document shares objects with the decorators, and the code below changes it.
  const document = structuredClone(
    SwaggerModule.createDocument(app, builder.build(), {
      operationIdFactory: (_controller, method) => method,
    }),
  );

  // The builder adds empty objects, which are removed.
  delete document.info.contact;
  document.paths = sortByName(document.paths);
  for (const [template, path] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method] as Operation | undefined;
      if (operation === undefined) continue;
      operation.parameters = orderParameters(operation.parameters, template);
      completeOperation(operation, method, document);
    }
  }
  document.components = {
    ...document.components,
    headers: HEADER_COMPONENTS,
    schemas: { ...document.components?.schemas, ErrorEnvelope: errorSchema() as never },
  };
  nameSchemas(document);
  completeSchemas(document);
  document.components.schemas = sortByName(document.components.schemas ?? {});
  return document;
}

/** Adds failures outside the handler, headers of every answer, an example of the body, and public access. */
function completeOperation(operation: Operation, method: string, document: OpenAPIObject): void {
  const codes = [...FAILURES_OF_EVERY_OPERATION, ...takeErrorCodes(operation)];
  if (operation.requestBody !== undefined) codes.push(...FAILURES_WITH_BODY);
  if (!operation[PUBLIC_OPERATION]) documentReadAfter(operation, method);
  if ((operation.parameters ?? []).length > 0) codes.push('validation_failed');
  if (operation[PUBLIC_OPERATION]) operation.security = [];
  else codes.push(...FAILURES_WITH_CREDENTIAL);
  delete operation[PUBLIC_OPERATION];
  const cookie = operation[COOKIE_PARAMETER];
  if (cookie !== undefined) operation.parameters = [...(operation.parameters ?? []), cookie];
  delete operation[COOKIE_PARAMETER];
  if (operation[IDEMPOTENT_OPERATION]) documentIdempotencyKey(operation, codes);
  delete operation[IDEMPOTENT_OPERATION];
  delete operation.responses['201'];

  operation.responses = sortByName({ ...operation.responses, ...failureResponses(codes) });
  const headers = headersOf(operation);
  for (const response of Object.values(operation.responses))
    response.headers = { ...headers, ...response.headers };
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    content.example = exampleOfSchema(content.schema, document);
  }
}

function headersOf({ responses }: Operation): Record<string, object> {
  const ofRates = RATE_LIMITED in responses ? [RATE_LIMIT_POLICY_HEADER, RATE_LIMIT_HEADER] : [];
  const references = [REQUEST_ID_HEADER, ...ofRates].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]);
  return Object.fromEntries(references) as Record<string, object>;
}

/** Documents the headers that let reads see the caller's last write: reads accept its position, writes return it. */
function documentReadAfter(operation: Operation, method: string): void {
  if (method === 'get') operation.parameters = [...(operation.parameters ?? []), READ_AFTER_PARAMETER];
  const success = method === 'get' ? undefined : operation.responses['200'];
  if (success === undefined) return;
  success.headers = { ...success.headers, [X_READ_AFTER]: { $ref: `#/components/headers/${X_READ_AFTER}` } };
}

function documentIdempotencyKey(operation: Operation, codes: ErrorCode[]): void {
  codes.push(...IDEMPOTENCY_ERROR_CODES);
  operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY_PARAMETER];
  const success = operation.responses['200']!;
  success.headers = { ...success.headers, ...REPLAYED_HEADER_SCHEMA };
}

function sortByName<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function orderParameters(
  parameters: Operation['parameters'] = [],
  template: string,
): { readonly name: string }[] {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const place = ({ name }: { readonly name: string }) =>
    names.includes(name) ? names.indexOf(name) : names.length;
  return parameters.toSorted((a, b) => place(a) - place(b));
}
