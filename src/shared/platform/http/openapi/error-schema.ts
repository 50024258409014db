import { ERROR_CODES } from '../errors/error-codes.js';
import { namedSchema } from './schema-names.js';

/** The body of every failure (docs/reference/errors.md). */
export function errorSchema(): object {
  return {
    type: 'object',
    required: ['status', 'code', 'message', 'request_id'],
    properties: {
      status: namedSchema('ErrorStatus', { type: 'string', enum: ['error'] }),
      code: namedSchema('ErrorCode', {
        type: 'string',
        description: 'A stable word for programs.',
        enum: Object.keys(ERROR_CODES).sort(),
      }),
      message: { type: 'string', description: 'What was wrong and what to do.' },
      details: { type: 'string', description: 'The sentences of all refused fields in one text.' },
      errors: {
        type: 'array',
        description: 'Each refused field, at most 100.',
        items: namedSchema('FieldError', {
          type: 'object',
          required: ['field', 'rule', 'message'],
          properties: {
            field: { type: 'string', example: 'order.items[0].amount' },
            rule: { type: 'string', example: 'required' },
            message: { type: 'string' },
          },
        }),
      },
      request_id: { type: 'string', description: 'The same as in the X-Request-Id header.' },
    },
  };
}
