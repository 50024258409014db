import { ERROR_CODES, type ErrorCode } from '../errors/error-codes.js';
import { httpStatusOf } from '../errors/error-kinds.js';
import { schemaRef } from './schema-names.js';

const EXAMPLE_REQUEST_ID = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

const CODES_WITH_RETRY_AFTER: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'rate_unavailable',
  'payment_pending',
  'rate_limited',
  'idempotency_in_progress',
]);
const RETRY_AFTER_HEADER = {
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 1 },
  },
};

interface FailureResponse {
  description: string;
  headers?: Record<string, object>;
  content: { 'application/json': { schema: { $ref: string }; examples: Record<string, FailureExample> } };
}

interface FailureExample {
  summary: string;
  value: object;
}

export function failureResponses(codes: readonly ErrorCode[]): Record<string, FailureResponse> {
  const responses: Record<string, FailureResponse> = {};
  const statusOfCode = (code: ErrorCode) => String(httpStatusOf(ERROR_CODES[code].kind));
  const retried = new Set(codes.filter((code) => CODES_WITH_RETRY_AFTER.has(code)).map(statusOfCode));
  for (const code of [...new Set(codes)].sort()) {
    const status = statusOfCode(code);
    const response = (responses[status] ??= {
      description: '',
      ...(retried.has(status) ? { headers: RETRY_AFTER_HEADER } : {}),
      content: { 'application/json': { schema: schemaRef('ErrorEnvelope'), examples: {} } },
    });
    response.description += `${response.description && ', '}\`${code}\``;
    response.content['application/json'].examples[code] = {
      summary: ERROR_CODES[code].meaning,
      value: exampleOf(code),
    };
  }
  return responses;
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
