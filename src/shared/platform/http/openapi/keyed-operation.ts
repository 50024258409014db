import type { ErrorCode } from '../errors/error-codes.js';

/** Where `buildOpenApiDocument` finds that an operation takes `Idempotency-Key`. */
export const KEYED_OPERATION = 'x-keyed-operation';

export const FAILURES_OF_KEYED: ErrorCode[] = [
  'validation_failed',
  'idempotency_in_progress',
  'idempotency_key_reused',
];

export const KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Names this request, so that it can be repeated: within 24 hours the same request under the same key creates ' +
    'nothing more and is given the first answer, but for secrets.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]{1,255}$' },
  example: '5f0c7a5e-order-1042',
};

/** A header of the answer of a keyed operation. */
export const REPLAYED_HEADER = {
  'Idempotency-Replayed': {
    description: '`true` where this is the stored answer of an earlier request under the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
};
