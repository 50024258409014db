import type { ErrorCode } from '../errors/error-codes.js';

/** Extension that marks an operation with `Idempotency-Key`. */
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
    'Unique key that makes this request safe to retry. Repeating the same request with the same key within 24 hours creates ' +
    'nothing and returns the first response, without its secrets. 1 to 255 visible ASCII characters, no spaces.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]{1,255}$' },
  example: '5f0c7a5e-order-1042',
};

/** Answer header of keyed operations. */
export const REPLAYED_HEADER = {
  'Idempotency-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request with the same key. Absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
};
