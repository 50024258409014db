import { ERROR_CODES } from '../errors/error-codes.js';
import { namedSchema } from './schema-names.js';

export function errorSchema(): object {
  return {
    type: 'object',
    required: ['status', 'code', 'message', 'request_id'],
    properties: {
      status: namedSchema('ErrorStatus', { type: 'string', enum: ['error'] }),
      code: namedSchema('ErrorCode', {
        type: 'string',
        description: 'Stable error code. Programs must use this code, not `message`.',
        enum: Object.keys(ERROR_CODES).sort(),
      }),
      message: { type: 'string', description: 'Explanation for people: the problem and what to do.' },
      details: {
        type: 'string',
        description:
          'Messages for all invalid fields, joined into one string. Absent if no field is invalid.',
      },
      errors: {
        type: 'array',
        description: 'Invalid fields of the request, at most 100. Absent if no field is invalid.',
        items: namedSchema('FieldError', {
          type: 'object',
          required: ['field', 'rule', 'message'],
          properties: {
            field: {
              type: 'string',
              description: 'Path of the field in the request.',
              example: 'order.items[0].amount',
            },
            rule: {
              type: 'string',
              description: 'Name of the violated rule, for programs.',
              example: 'required',
            },
            message: { type: 'string', description: 'Explanation for people: the problem with the field.' },
          },
        }),
      },
      request_id: {
        type: 'string',
        description: 'Id of this response in the service’s logs. Same as the `X-Request-Id` header.',
      },
    },
  };
}
