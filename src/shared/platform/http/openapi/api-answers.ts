import { type Type, applyDecorators } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiResponse,
  getSchemaPath,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from '../errors/error-codes.js';
import { statusOf } from '../errors/error-kinds.js';
import { namedSchema, schemaNameOf, schemaRef } from './schema-names.js';

/** Extension in which `buildOpenApiDocument` finds a cookie parameter. */
export const COOKIE_PARAMETER = 'x-cookie-parameter';
const EXAMPLE_REQUEST_ID = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

const TRY_AGAIN_LATER: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'rate_unavailable',
  'payment_pending',
  'rate_limited',
  'idempotency_in_progress',
]);
const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 1 },
  },
};

export interface SuccessOptions {
  description: string;
  example?: unknown;
  /** Operations that can follow, by their purpose. */
  links?: Readonly<Record<string, OperationLink>>;
  /** Headers of this answer only. */
  headers?: Readonly<
    Record<string, { readonly description: string; readonly schema: { readonly type: string } }>
  >;
}

/** OpenAPI 3.0, Link Object. */
export interface OperationLink {
  readonly operationId: string;
  /** Runtime expressions by parameter name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Runtime expressions by body field. */
  readonly requestBody?: Readonly<Record<string, string>>;
  readonly description: string;
}

/** @param parameters of the next operation, as runtime expressions; `requestBody` has its body fields */
export function linkTo(
  operationId: string,
  description: string,
  parameters: OperationLink['parameters'],
  requestBody?: OperationLink['requestBody'],
): Record<string, OperationLink> {
  return { [operationId]: { operationId, description, parameters, ...(requestBody && { requestBody }) } };
}

/** Documents HTTP 200 with `data` of this class. */
export function ApiSuccess(data: Type, options: SuccessOptions): MethodDecorator & ClassDecorator {
  return success(data, schemaNameOf(data.name), { $ref: getSchemaPath(data) }, options);
}

export interface PageOptions extends SuccessOptions {
  example?: readonly object[];
}

/** Documents HTTP 200 with a page of items of this class. */
export function ApiSuccessPage(
  item: Type,
  { example: items, ...options }: PageOptions,
): MethodDecorator & ClassDecorator {
  const count = (description: string, minimum = 0) => ({ type: 'integer', minimum, description });
  const name = `${schemaNameOf(item.name)}Page`;
  const page = namedSchema(name, {
    type: 'object',
    required: ['data', 'total', 'page', 'page_size', 'total_pages'],
    properties: {
      data: { type: 'array', items: { $ref: getSchemaPath(item) }, description: 'Items on this page.' },
      total: count('Total number of items, across all pages.'),
      page: count('Page number, starting at 1. Always 1 if the request used `after`.', 1),
      page_size: count('Items per page, as requested.', 1),
      total_pages: count('Total number of pages.'),
      next: {
        type: 'string',
        description: 'Cursor of the next page: send it as `after`. Absent on the last page.',
      },
    },
  });
  const example = items && { data: items, total: items.length, page: 1, page_size: 50, total_pages: 1 };
  return success(item, name, page, { ...options, example });
}

/** Documents an operation's specific errors. `buildOpenApiDocument` adds the errors that all operations share. */
export function ApiFailures(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ...Object.entries(failureResponses(codes)).map(([status, response]) =>
      ApiResponse({ status: Number(status), ...response } as ApiResponseOptions),
    ),
  );
}

/** Documents an optional cookie of an operation. */
export function ApiCookie(name: string, description: string): MethodDecorator & ClassDecorator {
  const schema = { type: 'string' };
  return ApiExtension(COOKIE_PARAMETER, { name, in: 'cookie', required: false, description, schema });
}

export interface FailureResponse {
  description: string;
  headers?: Record<string, object>;
  content: { 'application/json': { schema: { $ref: string }; examples: Record<string, FailureExample> } };
}

interface FailureExample {
  summary: string;
  value: object;
}

/** Responses by status, with one example per code. */
export function failureResponses(codes: readonly ErrorCode[]): Record<string, FailureResponse> {
  const responses: Record<string, FailureResponse> = {};
  const later = new Set(
    codes.filter((code) => TRY_AGAIN_LATER.has(code)).map((code) => String(statusOf(ERROR_CODES[code].kind))),
  );
  for (const code of [...new Set(codes)].sort()) {
    const status = String(statusOf(ERROR_CODES[code].kind));
    const response = (responses[status] ??= {
      description: '',
      ...(later.has(status) ? { headers: RETRY_AFTER } : {}),
      content: { 'application/json': { schema: schemaRef('ErrorEnvelope'), examples: {} } },
    });
    response.content['application/json'].examples[code] = {
      summary: ERROR_CODES[code].meaning,
      value: exampleOf(code),
    };
    describe(response);
  }
  return responses;
}

/** Appends the error codes of the examples to the description. */
export function describe(response: FailureResponse): void {
  const codes = Object.keys(response.content['application/json'].examples).sort();
  response.description = codes.map((code) => `\`${code}\``).join(', ');
}

function exampleOf(code: ErrorCode): object {
  const { sentence } = ERROR_CODES[code];
  const body = { status: 'error', code, message: sentence as string, request_id: EXAMPLE_REQUEST_ID };
  const error = EXAMPLE_ERRORS[code];
  if (error === undefined) return body;
  const message = `${error.field}: ${error.message}`;
  return { ...body, message, details: message, errors: [error] };
}

const EXAMPLE_ERRORS: Partial<Record<ErrorCode, { field: string; rule: string; message: string }>> = {
  validation_failed: { field: 'name', rule: 'required', message: 'is required.' },
  unknown_field: {
    field: 'nmae',
    rule: 'unknown_field',
    message: 'is not a field of this request. Did you mean name?',
  },
};

function success(
  model: Type,
  name: string,
  data: object,
  { description, example, headers, links }: SuccessOptions,
): MethodDecorator & ClassDecorator {
  const status = namedSchema('SuccessStatus', { type: 'string', enum: ['success'] });
  const schema = namedSchema(`${name}Envelope`, {
    type: 'object',
    required: ['status', 'data'],
    properties: { status, data },
  });
  const content = {
    'application/json': {
      schema,
      ...(example === undefined ? {} : { example: { status: 'success', data: example } }),
    },
  };
  return applyDecorators(
    ApiExtraModels(model),
    ApiResponse({ status: 200, description, content, headers, links } as ApiResponseOptions),
  );
}

export const READ_AFTER = 'X-Read-After';

const SCHEMA = { type: 'string', maxLength: 30, pattern: '^[1-9][0-9]{0,9}-[1-9][0-9]{0,18}$' };
const EXAMPLE = '1-48213';

/** Response header of writes. */
export const READ_AFTER_HEADER = {
  description:
    'Position of this write in the database log. Send it with later reads so that they include this write. ' +
    'Absent if the service does not read from a replica.',
  schema: SCHEMA,
  example: EXAMPLE,
};

export const READ_AFTER_PARAMETER = {
  name: READ_AFTER,
  in: 'header',
  required: false,
  description:
    '`X-Read-After` value from the response to your latest write. Lists and CSV files then include that write, ' +
    'even if a database replica serves the request.',
  schema: SCHEMA,
  example: EXAMPLE,
};
