import { type Type, applyDecorators } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
  type ApiOperationOptions,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import { ApiErrors } from '../errors/api-errors.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { namedSchema, schemaNameOf } from './schema-names.js';

export const COOKIE_PARAMETER = 'x-cookie-parameter';

export interface OperationOptions {
  readonly description?: string;
  readonly answer?: readonly [data: Type, description: string, example?: unknown];
  readonly page?: readonly [item: Type, description: string, examples?: readonly object[]];
  readonly links?: Readonly<Record<string, OperationLink>>;
  readonly headers?: Readonly<Record<string, AnswerHeader>>;
  readonly callbacks?: ApiOperationOptions['callbacks'];
  readonly errors?: readonly ErrorCode[];
}

interface AnswerHeader {
  readonly description: string;
  readonly schema: { readonly type: string };
}

export interface OperationLink {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly requestBody?: Readonly<Record<string, string>>;
  readonly description: string;
}

/**
 * Guards and parameters document the path ids, idempotency key and errors that they cause. @param summary a verb and
 * its object, without a full stop
 */
export function DocumentedOperation(
  operationId: string,
  summary: string,
  options: OperationOptions,
): MethodDecorator {
  const { description, callbacks, answer, page, errors = [] } = options;
  return applyDecorators(
    ApiOperation({ operationId, summary, description, callbacks } as ApiOperationOptions),
    ...(answer
      ? [documentSuccess(schemaNameOf(answer[0].name), { $ref: getSchemaPath(answer[0]) }, answer, options)]
      : []),
    ...(page ? [documentSuccessPage(page, options)] : []),
    ApiErrors(...errors),
  );
}

/** @param parameters runtime expressions; `requestBody` contains body fields */
export function operationLinkTo(
  operationId: string,
  description: string,
  parameters: OperationLink['parameters'],
  requestBody?: OperationLink['requestBody'],
): Record<string, OperationLink> {
  return { [operationId]: { operationId, description, parameters, ...(requestBody && { requestBody }) } };
}

export function ApiCookie(name: string, description: string): MethodDecorator & ClassDecorator {
  const schema = { type: 'string' };
  return ApiExtension(COOKIE_PARAMETER, { name, in: 'cookie', required: false, description, schema });
}

function documentSuccessPage(
  [item, description, items]: NonNullable<OperationOptions['page']>,
  options: OperationOptions,
) {
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
  return documentSuccess(name, page, [item, description, example], options);
}

function documentSuccess(
  name: string,
  data: object,
  [model, description, example]: NonNullable<OperationOptions['answer']>,
  { headers, links }: OperationOptions,
): MethodDecorator {
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
