import type { ErrorCode } from '../errors/error-codes.js';

export const IDEMPOTENT_OPERATION = 'x-keyed-operation';

export const IDEMPOTENCY_ERROR_CODES: ErrorCode[] = [
  'validation_failed',
  'idempotency_in_progress',
  'idempotency_key_reused',
];

export const IDEMPOTENCY_KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Unique key that makes this request safe to retry. Repeating the same request with the same key within 24 hours creates ' +
    'nothing and returns the first response, without its secrets. 1 to 255 visible ASCII characters, no spaces.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]{1,255}$' },
  example: '5f0c7a5e-order-1042',
};

export const REPLAYED_HEADER_SCHEMA = {
  'Idempotency-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request with the same key. Absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
};

export const X_READ_AFTER = 'X-Read-After';

const POSITION_SCHEMA = { type: 'string', maxLength: 30, pattern: '^[1-9][0-9]{0,9}-[1-9][0-9]{0,18}$' };
const POSITION_EXAMPLE = '1-48213';

/** Response header of writes: the position of the write, for reads that must include it. */
export const READ_AFTER_HEADER_SCHEMA = {
  description:
    'Position of this write in the database log. Send it with later reads so that they include this write. ' +
    'Absent if the service does not read from a replica.',
  schema: POSITION_SCHEMA,
  example: POSITION_EXAMPLE,
};

export const READ_AFTER_PARAMETER = {
  name: X_READ_AFTER,
  in: 'header',
  required: false,
  description:
    '`X-Read-After` value from the response to your latest write. Lists and CSV files then include that write, ' +
    'even if a database replica serves the request.',
  schema: POSITION_SCHEMA,
  example: POSITION_EXAMPLE,
};
